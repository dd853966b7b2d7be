/** The tables of docs/size.md, which stand between comments; everything else is written by hand. */
import { digits, table } from '../bench/report/markdown.js';
import { quartiles } from '../bench/stats.js';
import { GOALS } from './budgets.js';

const startOf = (id) => `<!-- npm run size: ${id} -->`;
const END = '<!-- end -->';

export const inKB = (bytes) => (bytes / 1024).toFixed(1);

/** Where a block's text stands in the page. */
function placeOf(page, id) {
  const start = page.indexOf(startOf(id)) + startOf(id).length;
  const end = page.indexOf(END, start);
  if (start < startOf(id).length || end < 0) throw new Error(`docs/size.md has no block "${id}"`);
  return { start, end };
}

/** @param {string} page */
export function blockOf(page, id) {
  const { start, end } = placeOf(page, id);
  return page.slice(start, end).trim();
}

/** @param {string} page */
export function withBlock(page, { id, text }) {
  const { start, end } = placeOf(page, id);
  return `${page.slice(0, start)}\n\n${text}\n\n${page.slice(end)}`;
}

function goalLine(items, { id, limit }) {
  const { gzip } = items.find((item) => item.id === id);
  return [id, inKB(limit), inKB(gzip), gzip <= limit ? 'met' : '**missed**'];
}

/**
 * The blocks of what `npm test` measures, too.
 *
 * @param {import('./items.js').Item[]} items
 */
export const sizeBlocks = (items) => [
  {
    id: 'files',
    text: table(
      ['', 'minified', 'gzip'],
      items.map(({ id, raw, gzip }) => [id, String(raw), String(gzip)]),
    ),
  },
  {
    id: 'goals',
    text: table(
      ['', 'goal, KB', 'measured, KB', ''],
      GOALS.map((goal) => goalLine(items, goal)),
    ),
  },
];

function startLine({ title, times, sent }) {
  const { low, middle, high } = quartiles(times);
  const ms = (value) => String(Math.round(value));
  return [title, digits(sent / 1024), `${ms(middle)} (${ms(low)} … ${ms(high)})`];
}

/**
 * @param {import('./startup/measure.js').Start[]} starts
 * @param {string} circumstances
 */
export const startupBlock = (starts, circumstances) => ({
  id: 'startup',
  text: `${circumstances}\n\n${table(
    ['', 'transferred, KB', 'first result, ms (quartiles)'],
    starts.map(startLine),
  )}`,
});

const NUMBER = /\d+(?:\.\d+)?/g;
/** Of a figure with one decimal. */
const ROUNDING = 0.05;

/** As the formatter leaves it or not. */
const plain = (text) => text.replace(/ +/g, ' ').replace(/-{2,}/g, '--');

/**
 * Lines that say something else than those measured: other words, or numbers off by more than 1 %.
 *
 * @param {string} written
 * @param {string} measured
 */
export function differences(written, measured) {
  const [old, now] = [written, measured].map((text) => plain(text).split('\n'));
  const isClose = (a, b) => Math.abs(a - b) <= 0.01 * b + ROUNDING;
  const isSame = (a, b) => {
    if (a.replace(NUMBER, '#') !== b.replace(NUMBER, '#')) return false;
    const [was, is] = [a, b].map((line) => (line.match(NUMBER) ?? []).map(Number));
    return was.every((value, i) => isClose(value, is[i]));
  };
  const lines = Array.from({ length: Math.max(old.length, now.length) }, (_, i) => i);
  return lines
    .filter((i) => !isSame(old[i] ?? '', now[i] ?? ''))
    .map((i) => `written: ${old[i]}\nmeasured: ${now[i]}`);
}
