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

/** A count with separators, as in 12,000. */
export const count = (value) => value.toLocaleString('en');

/** How many digits stand right of the point, so that points can be put below each other. */
export const decimals = (text) => (text.split('.')[1] ?? '').length;
