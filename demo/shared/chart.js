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
  ring: (x, y) => svg('circle', { cx: x, cy: y, r: 3, class: 'hollow' }),
};

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {number} hue  0 to 3, of the page's tokens
 * @property {[number, number][]} points
 * @property {'circle' | 'square' | 'ring'} [shape]
 * @property {string} [dash]
 * @property {boolean} [line]  default true
 */

const strokeOf = ({ hue, dash }) => ({
  class: `line hue${hue}`,
  ...(dash && { 'stroke-dasharray': dash }),
});

function samples(series) {
  return series.map((one) => {
    const parts = [];
    if (one.line !== false)
      parts.push(svg('line', { x1: 1, y1: 7, x2: 31, y2: 7, ...strokeOf(one) }));
    if (one.shape) parts.push(svg('g', { class: `mark hue${one.hue}` }, SHAPES[one.shape](16, 7)));
    const sample = svg('svg', { width: 32, height: 14, 'aria-hidden': 'true' }, ...parts);
    return element('span', {}, sample, one.label);
  });
}

const MARGIN = { left: 44, right: 12, top: 10, bottom: 38 };

/**
 * Lines over a common axis.
 *
 * @param {{ height: number, title: string, across: string }} settings  across: what x is
 */
export function lineChart({ height, title, across }) {
  const legend = element('p', { className: 'chart-legend' });
  const plot = drawing(height, (width, { x, y, series, logarithmic }) => {
    const [from, to] = logarithmic ? y.map(Math.log10) : y;
    const innerWidth = width - MARGIN.left - MARGIN.right;
    const innerHeight = height - MARGIN.top - MARGIN.bottom;
    const atX = (v) => MARGIN.left + ((v - x[0]) / (x[1] - x[0])) * innerWidth;
    const atY = (v) => {
      const part = ((logarithmic ? Math.log10(v) : v) - from) / (to - from);
      return MARGIN.top + (1 - part) * innerHeight;
    };
    const parts = [];
    const right = width - MARGIN.right;
    for (const v of logarithmic ? powers(...y) : ticks(...y, 5)) {
      parts.push(
        svg('line', { class: 'rule', x1: MARGIN.left, x2: right, y1: atY(v), y2: atY(v) }),
      );
      const place = { x: MARGIN.left - 6, y: atY(v) + 4, 'text-anchor': 'end' };
      parts.push(svg('text', place, tickText(v)));
    }
    for (const v of ticks(...x, Math.min(10, Math.max(2, Math.floor(innerWidth / 40))))) {
      if (!Number.isInteger(v)) continue;
      const place = { x: atX(v), y: height - MARGIN.bottom + 16, 'text-anchor': 'middle' };
      parts.push(svg('text', place, tickText(v)));
    }
    const below = { x: MARGIN.left + innerWidth / 2, y: height - 5, 'text-anchor': 'middle' };
    parts.push(svg('text', below, across));
    for (const one of series) {
      const points = one.points.filter(([, v]) => Number.isFinite(v) && (!logarithmic || v > 0));
      const places = points.map(([a, b]) => [atX(a), atY(b)]);
      if (one.line !== false) {
        const path = places.map((p) => p.map((v) => v.toFixed(1)).join()).join(' ');
        parts.push(svg('polyline', { points: path, ...strokeOf(one) }));
      }
      if (one.shape) {
        const marks = places.map(([a, b]) => SHAPES[one.shape](a, b));
        parts.push(svg('g', { class: `mark hue${one.hue}` }, ...marks));
      }
    }
    return parts;
  });
  const heading = element('figcaption', {}, title);
  let shown = '';

  return {
    element: element('figure', { className: 'line-chart' }, heading, plot.element, legend),
    /**
     * @param {{ x: [number, number], y: [number, number], logarithmic?: boolean, series: Series[] }} data
     * @param {string} label
     */
    show(data, label) {
      const names = data.series.map((one) => one.label).join();
      if (names !== shown) legend.replaceChildren(...samples(data.series));
      shown = names;
      plot.show(data, label);
    },
  };
}
