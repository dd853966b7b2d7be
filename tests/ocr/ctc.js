/* From what the network says of each column of the picture to text. */

/** Class 0: no character ends here. */
const BLANK = 0;

/**
 * The characters of the classes: the blank, the dictionary's lines, and the space that PaddleOCR
 * puts behind them. One line is an ideographic space, so nothing is trimmed.
 *
 * @param {string} dictionary  one character a line
 * @returns {string[]}
 */
export const charactersOf = (dictionary) => ['', ...dictionary.split('\n'), ' '];

function largestOf(values) {
  let at = 0;
  for (let i = 1; i < values.length; i += 1) if (values[i] > values[at]) at = i;
  return at;
}

/**
 * CTC, greedily: the likeliest class of each column, where a run of one class is one character and
 * blanks are none.
 *
 * @param {{ data: Float32Array, dims: readonly number[] }} scores  [1][columns][classes]
 * @param {string[]} characters
 */
export function readText({ data, dims }, characters) {
  const [, columns, classes] = dims;
  if (classes !== characters.length) {
    throw new RangeError(`expected ${classes} characters, got ${characters.length}`);
  }
  let text = '';
  let last = BLANK;
  for (let column = 0; column < columns; column += 1) {
    const best = largestOf(data.subarray(column * classes, (column + 1) * classes));
    if (best !== last) text += characters[best]; // the blank's is empty
    last = best;
  }
  return text;
}
