/**
 * What the visitor has set, kept in the address so that it can be linked to. Every figure has its
 * own names in it, as in `#grid.norm=group&grid.groups=4`; what is as it was at first is left out.
 */

/**
 * @typedef {Record<string, { values: readonly string[], initial: string }>} Choices  by name
 */

/**
 * @param {string} figure
 * @param {Choices} choices
 * @param {string} hash
 * @returns {Record<string, string>} a value for every choice; the initial one where there is no
 *   such value in the address
 */
export function readState(figure, choices, hash) {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(
    Object.entries(choices).map(([name, { values, initial }]) => {
      const value = given.get(`${figure}.${name}`);
      return [name, values.includes(value) ? value : initial];
    }),
  );
}

/**
 * @param {string} figure
 * @param {Choices} choices
 * @param {Record<string, string>} state
 * @param {string} hash  as it is; what others have written there stays
 * @returns {string} the hash with the state in it, empty if there is nothing to say
 */
export function writeState(figure, choices, state, hash) {
  const params = new URLSearchParams(hash.slice(1));
  for (const [name, { initial }] of Object.entries(choices)) {
    const key = `${figure}.${name}`;
    if (state[name] === initial) params.delete(key);
    else params.set(key, state[name]);
  }
  const text = params.toString();
  return text && `#${text}`;
}
