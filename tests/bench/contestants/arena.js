/** Arrays in the memory of a module that has no allocator: one after the other, until reset(). */
import { packed } from '../../../js/heap.js';

const PAGE = 65536;
const LINE = 64;

export class Arena {
  #memory;
  #base;
  #top;

  /** @param {WebAssembly.Memory} memory @param {number} base  the first byte that is free */
  constructor(memory, base) {
    this.#memory = memory;
    this.#base = Math.ceil(base / LINE) * LINE;
    this.#top = this.#base;
  }

  /** The address of so many bytes, placed as the library places its own. */
  alloc(bytes) {
    const at = this.#top;
    this.#top += packed(bytes);
    const missing = this.#top - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  /** A view; growth of the memory detaches it. */
  floats(at, length) {
    return new Float32Array(this.#memory.buffer, at, length);
  }

  /** Forgets all arrays. */
  reset() {
    this.#top = this.#base;
  }

  /**
   * Places for the arrays of a case, with the inputs written.
   *
   * @param {import('../cases.js').Case} one
   * @param {Record<string, Float32Array>} inputs
   */
  place({ op, lengths }, inputs) {
    const at = {};
    for (const { name, extent } of [...op.outputs, ...op.inputs]) {
      at[name] = this.alloc(4 * lengths[extent]);
    }
    for (const [name, values] of Object.entries(inputs)) {
      this.floats(at[name], values.length).set(values);
    }
    return at;
  }

  /** Copies of the results of a case. */
  results({ op, lengths }, at) {
    return Object.fromEntries(
      op.outputs.map(({ name, extent }) => [name, this.floats(at[name], lengths[extent]).slice()]),
    );
  }
}
