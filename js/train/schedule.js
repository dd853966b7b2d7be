/** The learning rate of each step. */

/** @typedef {'none' | 'inverseSqrt'} Decay */

/** @type {readonly Decay[]} */
export const DECAYS = Object.freeze(/** @type {Decay[]} */ (['none', 'inverseSqrt']));

/**
 * The rate grows linearly to its largest value during the warm-up, stays there, and with
 * 'inverseSqrt' falls like 1 / sqrt(step) in the end (Vaswani et al. 2017).
 */
export class Schedule {
  #rate;
  #warmup;
  #decays;
  #decayFrom;

  /**
   * @param {{ rate: number, warmup: number, decay: Decay, decayFrom?: number }} settings  `rate`:
   *   the largest; `warmup`: steps, the last of which has it; `decayFrom`: the last step that has
   *   it, where it decays; default: the end of the warm-up
   */
  constructor({ rate, warmup, decay, decayFrom = warmup }) {
    this.#rate = rate;
    this.#warmup = Math.max(warmup, 1);
    this.#decays = decay === 'inverseSqrt';
    this.#decayFrom = Math.max(decayFrom, 1);
  }

  /**
   * @param {{ step: number, rate: number }} at  step 1, 2, …; the rate is written to it, because a
   *   number that a function returns can take an object
   */
  apply(at) {
    at.rate = this.#rate;
    if (at.step < this.#warmup) at.rate *= at.step / this.#warmup;
    if (this.#decays && at.step > this.#decayFrom) at.rate *= Math.sqrt(this.#decayFrom / at.step);
  }
}
