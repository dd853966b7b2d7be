/** The numbers along the axes of a chart. */

/** Round numbers from min to max, about as many as asked for. */
export function ticks(min, max, count) {
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Powers of ten from min to max, not more than six. */
export function powers(min, max) {
  const [first, last] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / 5));
  const all = [];
  for (let e = first; e <= last; e += step) all.push(10 ** e);
  return all;
}

const SUPERSCRIPTS = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴' };
const MORE = { 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const raised = (n) => [...String(n)].map((c) => SUPERSCRIPTS[c] ?? MORE[c]).join('');

/** A tick as a number, or as a power of ten where that is shorter. */
export function tickText(value) {
  const size = Math.abs(value);
  if (value !== 0 && (size < 0.01 || size >= 1e5))
    return `10${raised(Math.round(Math.log10(size)))}`;
  return String(Number(value.toPrecision(3))).replace('-', '−');
}
