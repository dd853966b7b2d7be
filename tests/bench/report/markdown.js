/** Numbers and tables as markdown. */

/** Three digits where they say something. */
export function digits(value, count = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value >= 10 ** count) return String(Math.round(value));
  return value.toPrecision(count);
}

/** A ratio: two digits. */
export const times = (value) => digits(value, 2);

/** `0.214 (0.211 … 0.222)` */
export const spread = ({ low, middle, high }) =>
  `${digits(middle)} (${digits(low)} … ${digits(high)})`;

/**
 * A table; the first columns hold texts, the others numbers.
 *
 * @param {string[]} head
 * @param {string[][]} body
 * @param {number} [texts]
 */
export function table(head, body, texts = 1) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i < texts ? '---' : '--:'));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}
