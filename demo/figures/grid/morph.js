/**
 * Outlines that merge and split: when cells come to share their statistics with others, each
 * outline goes from where it was to the outlines that it becomes.
 */
import { element } from '../../dom.js';
import { isCalm } from '../../motion.js';

const DURATION = 240;

/** Between a cell's edge and its outline, as the stylesheet has it. */
const INSET = 2;

/** More outlines than this at a time say nothing. */
const MOST = 100;

/** @typedef {{ rows: number, cols: number }} Tile  the size of a block */

/** From and to, as steps of the tile: [[0, 2], [2, 4], …] */
const spans = (length, step) =>
  Array.from({ length: length / step }, (_, i) => [i * step, (i + 1) * step]);

/** The blocks of a tile, as they are numbered: from left to right, then down. */
const blocksOf = ({ rows, cols }, tile) =>
  spans(rows, tile.rows).flatMap(([top, bottom], r) =>
    spans(cols, tile.cols).map(([left, right], c, across) => ({
      ...{ top, bottom, left, right },
      hue: (r * across.length + c) % 4,
    })),
  );

const overlap = (a, b) =>
  a.top < b.bottom && b.top < a.bottom && a.left < b.right && b.left < a.right;

/** Each old block with each new one that has cells of it. */
function pairsOf(size, from, to) {
  const olds = blocksOf(size, from);
  return blocksOf(size, to).flatMap((now) =>
    olds.filter((old) => overlap(old, now)).map((old) => [old, now]),
  );
}

/**
 * @param {HTMLElement} place  the box that has the table; it is positioned
 * @param {HTMLTableElement} table
 */
export function morph(place, table) {
  const layer = element('div', { className: 'morph', 'aria-hidden': 'true' });
  /** @type {Animation[]} */
  let running = [];
  let waiting = 0;

  function end() {
    cancelAnimationFrame(waiting);
    for (const animation of running) animation.cancel();
    running = [];
    layer.remove();
    table.classList.remove('morphing');
  }

  /** Where a block is drawn, as a keyframe. */
  function keyframe({ top, bottom, left, right, hue }, cellAt) {
    const [first, last] = [cellAt(top, left), cellAt(bottom - 1, right - 1)];
    const [x, y] = [first.offsetLeft, first.offsetTop];
    return {
      transform: `translate(${x + INSET}px, ${y + INSET}px)`,
      width: `${last.offsetLeft + last.offsetWidth - x - 2 * INSET}px`,
      height: `${last.offsetTop + last.offsetHeight - y - 2 * INSET}px`,
      borderColor: `var(--line${hue})`,
    };
  }

  /** @param {Keyframe[][]} moves  from where to where each outline goes */
  function animate(moves) {
    const outlines = moves.map(() => element('div'));
    layer.replaceChildren(...outlines);
    place.append(layer);
    table.classList.add('morphing');
    running = outlines.map((outline, i) =>
      outline.animate(moves[i], { duration: DURATION, easing: 'ease-in-out', fill: 'both' }),
    );
    running[0].finished.then(end, () => {});
  }

  return {
    end,
    /**
     * @param {{ rows: number, cols: number }} size  of the table
     * @param {Tile} from
     * @param {Tile} to
     * @param {(row: number, col: number) => HTMLElement} cellAt
     */
    start(size, from, to, cellAt) {
      end();
      const isSame = from.rows === to.rows && from.cols === to.cols;
      if (isSame || isCalm()) return;
      const pairs = pairsOf(size, from, to);
      if (pairs.length > MOST) return;
      // Places are read when the frame is due, as the layout is made then in any case.
      waiting = requestAnimationFrame(() =>
        animate(pairs.map((pair) => pair.map((block) => keyframe(block, cellAt)))),
      );
    },
  };
}
