/**
 * What the visitor has set in a figure, and how it is written in the address. Every figure has its
 * own names there, as in `#grid.norm=group&grid.groups=4`; what is as it was at first is left out.
 */

/**
 * One thing that can be set.
 *
 * @typedef {object} Field
 * @property {unknown} initial
 * @property {(text: string) => unknown} read  undefined where the text says nothing that exists
 * @property {(value: any) => string} write
 */

/** @typedef {Record<string, Field>} Fields  by name */

/** One of some texts. */
export const oneOf = (values, initial = values[0]) => ({
  initial,
  read: (text) => (values.includes(text) ? text : undefined),
  write: String,
});

/** A number from min to max; `whole`: no fractions. */
export const numberIn = (min, max, initial, { whole = false } = {}) => ({
  initial,
  read(text) {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= min && value <= max;
    return fits && (!whole || Number.isInteger(value)) ? value : undefined;
  },
  write: String,
});

/** Yes or no. */
export const flag = (initial = false) => ({
  initial,
  read: (text) => ({ 1: true, 0: false })[text],
  write: (value) => (value ? '1' : '0'),
});

/** Anything else that has a text; `read` may throw or give undefined. */
export const custom = (initial, read, write) => ({
  initial,
  read(text) {
    try {
      return read(text);
    } catch {
      return undefined;
    }
  },
  write,
});

/** @param {Fields} fields */
export const initialState = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));

/**
 * @param {string} figure
 * @param {Fields} fields
 * @param {string} hash
 * @returns {Record<string, any>} a value for every field; the initial one where the address has none
 */
export function readState(figure, fields, hash) {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(
    Object.entries(fields).map(([name, { initial, read }]) => {
      const text = given.get(`${figure}.${name}`);
      return [name, (text === null ? undefined : read(text)) ?? initial];
    }),
  );
}

/**
 * @param {string} figure
 * @param {Fields} fields
 * @param {Record<string, any>} state
 * @param {string} [hash]  as it is; what others have written there stays
 * @returns {string} the hash with the state in it, empty if there is nothing to say
 */
export function writeState(figure, fields, state, hash = '') {
  const params = new URLSearchParams(hash.slice(1));
  for (const key of [...params.keys()]) if (!key.includes('.')) params.delete(key);
  for (const [name, { initial, write }] of Object.entries(fields)) {
    const key = `${figure}.${name}`;
    const text = write(state[name]);
    if (text === write(initial)) params.delete(key);
    else params.set(key, text);
  }
  const text = params.toString();
  return text && `#${text}`;
}
