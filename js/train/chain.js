/** @import { Context, Layer, Values } from './context.js' */

/** Layers one behind the other: y = last(…first(x)). It keeps what is between them. */
export class Chain {
  #layers;
  #between;
  #gradients;

  /**
   * @param {Context} context
   * @param {string} kind  chains of one kind share memory, so none is within another
   * @param {readonly Layer[]} layers
   * @param {readonly number[]} lengths  of the arrays between them
   */
  constructor(context, kind, layers, lengths) {
    this.#layers = layers;
    this.#between = lengths.map((length) => context.arena.floats(length));
    this.#gradients = lengths.map((length, i) => context.shared(`${kind} ${i}`, length));
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  forward(y, x) {
    const layers = this.#layers;
    const between = this.#between;
    const last = layers.length - 1;
    for (let i = 0; i <= last; i += 1) {
      layers[i].forward(i === last ? y : between[i], i === 0 ? x : between[i - 1]);
    }
  }

  /**
   * @param {Values} dx
   * @param {Values} dy
   * @param {Values} x
   */
  backward(dx, dy, x) {
    const layers = this.#layers;
    const between = this.#between;
    const gradients = this.#gradients;
    const last = layers.length - 1;
    for (let i = last; i >= 0; i -= 1) {
      const from = i === last ? dy : gradients[i];
      const to = i === 0 ? dx : gradients[i - 1];
      layers[i].backward(to, from, i === 0 ? x : between[i - 1]);
    }
  }
}
