/** Small charts in SVG. They are drawn anew for the width they have, so that text keeps its size. */
import { element } from '../dom.js';
import { powers, ticks, tickText } from './axis.js';
import './chart.css';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** An SVG element with its attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * A place for a drawing of a given height.
 *
 * @param {number} height  in px
 * @param {(width: number, data: any) => SVGElement[]} draw
 */
export function drawing(height, draw) {
  const image = svg('svg', { role: 'img', height });
  const root = element('div', { className: 'chart' }, image);
  let width = 0;
  let data;
  let waiting = false;

  /** Once a frame at most. */
  function redraw() {
    if (waiting || data === undefined || width === 0) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      image.setAttribute('width', String(width));
      image.setAttribute('viewBox', `0 0 ${width} ${height}`);
      image.replaceChildren(...draw(width, data));
    });
  }

  new ResizeObserver(([{ contentRect }]) => {
    const now = Math.floor(contentRect.width);
    if (now === width) return;
    width = now;
    redraw();
  }).observe(root);

  return {
    element: root,
    /** @param {string} label  what the drawing shows, in words */
    show(now, label) {
      data = now;
      image.setAttribute('aria-label', label);
      redraw();
    },
  };
}

/** The second code beside the hue: the shape of the points. */
const SHAPES = {
  circle: (x, y) => svg('circle', { cx: x, cy: y, r: 4 }),
  square: (x, y) => svg('rect', { x: x - 3.5, y: y - 3.5, width: 7, height: 7 }),
  diamond: (x, y) => svg('path', { d: `M${x - 5} ${y}l5-5 5 5-5 5z` }),
  triangle: (x, y) => svg('path', { d: `M${x - 4.5} ${y + 3.5}h9l-4.5-8z` }),
  ring: (x, y) => svg('circle', { cx: x, cy: y, r: 3, class: 'hollow' }),
};

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {number} hue  0 to 3, of the page's tokens
 * @property {[number, number][]} [points]  the line has a gap where y is not finite
 * @property {[number, number, number][]} [band]  x, and what is filled there, from low to high
 * @property {'circle' | 'square' | 'diamond' | 'triangle' | 'ring'} [shape]
 * @property {'all' | 'last'} [marks]  which points have the shape; default all
 * @property {string} [dash]
 * @property {boolean} [line]  default true
 */

/**
 * @typedef {object} LineData
 * @property {[number, number]} x
 * @property {number[]} [xTicks]  numbers along it; default: round ones
 * @property {[number, number]} y  values beyond it are drawn at the edge
 * @property {boolean} [logarithmic]  in y
 * @property {Series[]} series
 * @property {number} [cursor]  the x that is looked at
 * @property {{ y: number, label: string }[]} [levels]  lines across that something is compared with
 */

const strokeOf = ({ hue, dash }) => ({
  class: `line hue${hue}`,
  ...(dash && { 'stroke-dasharray': dash }),
});

const SAMPLE_BAND = { x: 1, y: 1, width: 30, height: 12 };

/** A series in the legend: what it looks like, and its name. */
export function sample(one) {
  const parts = [];
  if (one.band) parts.push(svg('rect', { ...SAMPLE_BAND, class: `band hue${one.hue}` }));
  if (one.points && one.line !== false)
    parts.push(svg('line', { x1: 1, y1: 7, x2: 31, y2: 7, ...strokeOf(one) }));
  if (one.shape) parts.push(svg('g', { class: `mark hue${one.hue}` }, SHAPES[one.shape](16, 7)));
  return svg('svg', { width: 32, height: 14, 'aria-hidden': 'true' }, ...parts);
}

const pathOf = (places) => places.map((p) => p.map((v) => v.toFixed(1)).join()).join(' ');

/** The stretches of a list between what does not fit. */
function stretches(list, fits) {
  const runs = [[]];
  for (const one of list) {
    if (fits(one)) runs.at(-1).push(one);
    else if (runs.at(-1).length > 0) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

const MARGIN = { left: 44, right: 12, top: 10, bottom: 38 };

/**
 * From values to places in a chart of a certain size.
 *
 * @param {LineData} data
 */
function scales(width, height, { x, y, logarithmic }) {
  const size = (v) => (logarithmic ? Math.log10(v) : v);
  const [from, to] = y.map(size);
  const innerWidth = width - MARGIN.left - MARGIN.right;
  const innerHeight = height - MARGIN.top - MARGIN.bottom;
  return {
    innerWidth,
    right: width - MARGIN.right,
    atX: (v) => MARGIN.left + ((v - x[0]) / (x[1] - x[0])) * innerWidth,
    atY(v) {
      const part = logarithmic && v <= 0 ? 0 : (size(v) - from) / (to - from);
      return MARGIN.top + (1 - Math.min(1, Math.max(0, part))) * innerHeight;
    },
  };
}

function axes(
  height,
  { x, xTicks, y, logarithmic },
  { innerWidth, right, atX, atY },
  { across, format, formatX },
) {
  const parts = [];
  for (const v of logarithmic ? powers(...y) : ticks(...y, 5)) {
    parts.push(svg('line', { class: 'rule', x1: MARGIN.left, x2: right, y1: atY(v), y2: atY(v) }));
    const place = { x: MARGIN.left - 6, y: atY(v) + 4, 'text-anchor': 'end' };
    parts.push(svg('text', place, format(v)));
  }
  const most = Math.min(10, Math.max(2, Math.floor(innerWidth / 40)));
  for (const v of xTicks ?? ticks(...x, most)) {
    if (!Number.isInteger(v)) continue;
    const place = { x: atX(v), y: height - MARGIN.bottom + 16, 'text-anchor': 'middle' };
    parts.push(svg('text', place, formatX(v)));
  }
  const below = { x: MARGIN.left + innerWidth / 2, y: height - 5, 'text-anchor': 'middle' };
  parts.push(svg('text', below, across));
  return parts;
}

const cursorLine = (height, x) =>
  svg('line', { class: 'cursor', x1: x, x2: x, y1: MARGIN.top, y2: height - MARGIN.bottom });

function level({ y }, { right, atY }) {
  return svg('line', { class: 'level', x1: MARGIN.left, x2: right, y1: atY(y), y2: atY(y) });
}

/** In the legend: curves would cover it in the plot. */
function levelSample() {
  const line = svg('line', { class: 'level', x1: 1, y1: 7, x2: 31, y2: 7 });
  return svg('svg', { width: 32, height: 14, 'aria-hidden': 'true' }, line);
}

function area({ band, hue }, { atX, atY }) {
  const known = ([, low, high]) => !Number.isNaN(low) && !Number.isNaN(high);
  return stretches(band, known).map((run) => {
    const top = run.map(([x, , high]) => [atX(x), atY(high)]);
    const bottom = run.map(([x, low]) => [atX(x), atY(low)]).reverse();
    return svg('polygon', { points: pathOf([...top, ...bottom]), class: `band hue${hue}` });
  });
}

function lineAndMarks(one, { atX, atY }, logarithmic) {
  const fits = ([, v]) => Number.isFinite(v) && (!logarithmic || v > 0);
  const runs = stretches(one.points, fits).map((run) => run.map(([x, y]) => [atX(x), atY(y)]));
  const parts = [];
  if (one.line !== false)
    parts.push(...runs.map((run) => svg('polyline', { points: pathOf(run), ...strokeOf(one) })));
  if (one.shape) {
    const places = one.marks === 'last' ? (runs.at(-1)?.slice(-1) ?? []) : runs.flat();
    const marks = places.map(([x, y]) => SHAPES[one.shape](x, y));
    parts.push(svg('g', { class: `mark hue${one.hue}` }, ...marks));
  }
  return parts;
}

/**
 * Lines over a common axis.
 *
 * @param {object} settings
 * @param {number} settings.height
 * @param {string} settings.title
 * @param {string} settings.across  what x is
 * @param {(value: number) => string} [settings.format]  of the numbers along y
 * @param {(value: number) => string} [settings.formatX]  of those along x
 */
export function lineChart({ height, title, across, format = tickText, formatX = tickText }) {
  const legend = element('p', { className: 'chart-legend' });
  const plot = drawing(height, (width, data) => {
    const { series, levels = [], cursor, logarithmic } = data;
    const places = scales(width, height, data);
    return [
      ...axes(height, data, places, { across, format, formatX }),
      ...(cursor === undefined ? [] : [cursorLine(height, places.atX(cursor))]),
      ...series.flatMap((one) => (one.band ? area(one, places) : [])),
      ...levels.map((one) => level(one, places)),
      ...series.flatMap((one) => (one.points ? lineAndMarks(one, places, logarithmic) : [])),
    ];
  });
  const heading = element('figcaption', {}, title);
  let shown = '';

  return {
    element: element('figure', { className: 'line-chart' }, heading, plot.element, legend),
    /**
     * @param {LineData} data
     * @param {string} label
     */
    show(data, label) {
      const { series, levels = [] } = data;
      const looks = series.map(({ points, band, ...look }) => [look, points && 1, band && 1]);
      const names = JSON.stringify([looks, levels]);
      if (names !== shown)
        legend.replaceChildren(
          ...series.map((one) => element('span', {}, sample(one), one.label)),
          ...levels.map((one) => element('span', {}, levelSample(), one.label)),
        );
      shown = names;
      plot.show(data, label);
    },
  };
}
