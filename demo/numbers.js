/** How numbers are written on the page. */

/** Below it a value is written with an exponent: leading zeros would push digits out of its cell. */
const SMALL = 1e-3;
const LARGE = 1e6;

const withTrueMinus = (text) => text.replaceAll('-', '−');

/** A number with so many significant digits, as in −0.0123, 5.10 or 4.56e−5. */
export function significant(value, digits) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size < SMALL || size >= LARGE ? value.toExponential(digits - 1) : value.toPrecision(digits);
  // toPrecision itself turns to exponents for whole numbers with more digits than were asked for.
  return withTrueMinus(/e/.test(text) && size >= 1 && size < LARGE ? value.toFixed(0) : text);
}

/** For the cells of a table. */
export const short = (value) => significant(value, 3);

/** Nine digits tell every float32 from its neighbours. */
export const long = (value) => significant(value, 9);

/** The same without zeros that say nothing. */
export const nine = (value) =>
  long(value)
    .replace(/(\.\d*?)0+(?=e|$)/, '$1')
    .replace(/\.(?=e|$)/, '');

/** A count with separators, as in 12,000. */
export const count = (value) => value.toLocaleString('en');

/** How many digits stand right of the point, so that points can be put below each other. */
export const decimals = (text) => (text.split('.')[1] ?? '').length;

/** The shortest decimal that is this float32, as code is written: 5.1, -0.25, 1e-7, NaN. */
export function literal(value) {
  if (!Number.isFinite(value) || value === 0) return Object.is(value, -0) ? '-0' : String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/** What people type or paste: 3,5 and −1 and 1e-3 and inf; undefined for what is no number. */
export function parseNumber(text) {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/^(-?)\+?(∞|inf(inity)?)$/i, '$1Infinity');
  if (/^-?nan$/i.test(plain)) return Number.NaN;
  if (plain === '') return undefined;
  const value = Number(/^[^.]*,[^.,]*$/.test(plain) ? plain.replace(',', '.') : plain);
  return Number.isNaN(value) ? undefined : Math.fround(value);
}

/** The shortest text that tells a float32 from all others, for readers. */
export const own = (value) =>
  Number.isFinite(value) ? withTrueMinus(literal(value)) : long(value);
