/**
 * Tasks for a causal transformer: after some symbols comes an answer that follows from them.
 *
 * A sequence is the question and the answer, less the last symbol, which nothing follows. Only the
 * symbols of the answer count in the loss.
 */

/** @import { Random } from './random.js' */
import { expectChoice, expectOptions, outOfRange } from '../check.js';
import { expectWhole } from './check.js';
import { IGNORED } from './cross-entropy.js';
import { scrambled } from './random.js';

/**
 * @typedef {object} TaskOptions
 * @property {TaskKind} [task]  'reverse', 'copy' or 'sort' a sequence, or add its numbers:
 *   'modularAddition'. Default 'reverse'
 * @property {number} [symbols]  how many different symbols there are, which the numbers are added
 *   modulo, 2 to 1024. Default 8
 * @property {number} [length]  of the question, 1 to 256. Default 8; 2 for modularAddition
 */

/** @typedef {'reverse' | 'copy' | 'sort' | 'modularAddition'} TaskKind */

/**
 * @typedef {object} TaskRules
 * @property {(length: number) => number} answerLength
 * @property {(answer: Uint32Array, question: Uint32Array, symbols: number) => void} solve
 * @property {(symbols: number, length: number) => number} chance
 */

/** @param {number} length */
const asLong = (length) => length;

/** @param {number} symbols */
const uniform = (symbols) => Math.log(symbols);

/** @type {Readonly<Record<TaskKind, TaskRules>>} */
const RULES = Object.freeze({
  reverse: {
    answerLength: asLong,
    solve(answer, question) {
      for (let i = 0; i < answer.length; i += 1) answer[i] = question[answer.length - 1 - i];
    },
    chance: uniform,
  },
  copy: {
    answerLength: asLong,
    solve: (answer, question) => answer.set(question),
    chance: uniform,
  },
  sort: { answerLength: asLong, solve: sort, chance: chanceOfSorting },
  modularAddition: {
    answerLength: () => 1,
    solve(answer, question, symbols) {
      let sum = 0;
      for (let i = 0; i < question.length; i += 1) sum += question[i];
      answer[0] = sum % symbols;
    },
    chance: uniform,
  },
});

/**
 * By insertion, which allocates nothing.
 *
 * @param {Uint32Array} answer
 * @param {Uint32Array} question
 */
function sort(answer, question) {
  for (let i = 0; i < question.length; i += 1) {
    const symbol = question[i];
    let at = i;
    for (; at > 0 && answer[at - 1] > symbol; at -= 1) answer[at] = answer[at - 1];
    answer[at] = symbol;
  }
}

/**
 * The mean entropy of a place of the sorted sequence: small symbols come first, which is known
 * without the question.
 *
 * @param {number} symbols
 * @param {number} length
 */
function chanceOfSorting(symbols, length) {
  let entropy = 0;
  for (let place = 0; place < length; place += 1) {
    let before = 0;
    for (let symbol = 0; symbol < symbols; symbol += 1) {
      const upTo = moreThan(place, length, (symbol + 1) / symbols);
      const share = upTo - before;
      if (share > 0) entropy -= share * Math.log(share);
      before = upTo;
    }
  }
  return entropy / length;
}

/**
 * The probability of more than `successes` successes in `trials` trials of probability p.
 *
 * @param {number} successes
 * @param {number} trials
 * @param {number} p
 */
function moreThan(successes, trials, p) {
  let sum = 0;
  let ways = 1;
  for (let k = 0; k <= trials; k += 1) {
    if (k > successes) sum += ways * p ** k * (1 - p) ** (trials - k);
    ways *= (trials - k) / (k + 1);
  }
  return sum;
}

/** The tasks by name. */
export const TASKS = Object.freeze(/** @type {TaskKind[]} */ (Object.keys(RULES)));

const OPTIONS = new Set(['task', 'symbols', 'length']);
/** So few questions that some are held out and some are not. */
const FEWEST_QUESTIONS = 64;
/** One question in this many is never trained on. */
const HELD_OUT = 8;

/**
 * The settings of a task, each within its range.
 *
 * @param {TaskOptions} [options]
 * @returns {Task}
 */
export function taskOf(options = {}) {
  expectOptions('task', options, OPTIONS);
  const { task = 'reverse', symbols = 8 } = options;
  expectChoice('task', task, TASKS);
  const { length = task === 'modularAddition' ? 2 : 8 } = options;
  expectWhole('symbols', symbols, 2, 1024);
  expectWhole('length', length, 1, 256);
  const questions = symbols ** length;
  if (questions < FEWEST_QUESTIONS) {
    const expected = `at least ${FEWEST_QUESTIONS} different questions of ${symbols} symbols`;
    throw outOfRange('length', expected, `${length}, which gives ${questions}`);
  }
  return new Task(task, symbols, length);
}

/** A task of a given size. */
export class Task {
  #rules;
  #question;
  #answer;

  /** @type {TaskKind} */
  name;
  /** @type {number} */
  symbols;
  /**
   * Of the question.
   *
   * @type {number}
   */
  length;
  /**
   * What a model needs for it: `transformer({ ...task.sizes })`.
   *
   * @type {{ vocabulary: number, tokens: number }}
   */
  sizes;
  /**
   * Mean loss, in nats, of the best guess without the question: a model that has learned nothing
   * from it is no better.
   *
   * @type {number}
   */
  chance;
  /**
   * The first token that is followed by a symbol of the answer.
   *
   * @type {number}
   */
  firstAnswer;
  /** The least mean loss there can be: the answer is certain, once the question is read. */
  floor = 0;

  /**
   * @internal
   * @param {TaskKind} name
   * @param {number} symbols
   * @param {number} length
   */
  constructor(name, symbols, length) {
    const rules = RULES[name];
    const answerLength = rules.answerLength(length);
    this.#rules = rules;
    this.#question = new Uint32Array(length);
    this.#answer = new Uint32Array(answerLength);
    this.name = name;
    this.symbols = symbols;
    this.length = length;
    this.sizes = Object.freeze({ vocabulary: symbols, tokens: length + answerLength - 1 });
    this.firstAnswer = length - 1;
    this.chance = rules.chance(symbols, length);
  }

  /**
   * @param {{ vocabulary: number, tokens: number }} model  its settings
   * @throws {RangeError} a model of another size
   */
  expectFit({ vocabulary, tokens }) {
    const { name, sizes } = this;
    if (vocabulary < sizes.vocabulary) {
      const expected = `a vocabulary of at least ${sizes.vocabulary} for '${name}'`;
      throw outOfRange('model', expected, vocabulary);
    }
    if (tokens !== sizes.tokens) {
      throw outOfRange('model', `${sizes.tokens} tokens for '${name}'`, tokens);
    }
  }

  /**
   * Draws sequences.
   *
   * @param {Uint32Array} ids  [batch][tokens], written
   * @param {Int32Array} targets  [batch][tokens], written; -1 where it does not count
   * @param {Random} random
   * @param {boolean} heldOut  whether questions are those that are never trained on, or the others
   */
  fill(ids, targets, random, heldOut) {
    const { tokens } = this.sizes;
    for (let start = 0; start < ids.length; start += tokens) {
      this.#drawQuestion(random, heldOut);
      this.#rules.solve(this.#answer, this.#question, this.symbols);
      this.#write(ids, targets, start);
    }
  }

  /**
   * @param {Random} random
   * @param {boolean} heldOut
   */
  #drawQuestion(random, heldOut) {
    const question = this.#question;
    do {
      for (let i = 0; i < question.length; i += 1) question[i] = random.below(this.symbols);
    } while (isHeldOut(question) !== heldOut);
  }

  /**
   * @param {Uint32Array} ids
   * @param {Int32Array} targets
   * @param {number} start
   */
  #write(ids, targets, start) {
    const question = this.#question;
    const answer = this.#answer;
    const first = start + this.firstAnswer;
    for (let i = 0; i < question.length; i += 1) ids[start + i] = question[i];
    for (let i = 1; i < answer.length; i += 1) ids[first + i] = answer[i - 1];
    targets.fill(IGNORED, start, first);
    for (let i = 0; i < answer.length; i += 1) targets[first + i] = answer[i];
  }
}

/**
 * A property of the question alone that has nothing to do with its answer.
 *
 * @param {Uint32Array} question
 */
function isHeldOut(question) {
  let hash = question.length;
  for (let i = 0; i < question.length; i += 1) hash = scrambled(Math.imul(hash, 31) + question[i]);
  return (hash >>> 0) % HELD_OUT === 0;
}
