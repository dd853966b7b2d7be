/* A request as a call: arrays in guises, results here and there. */
import assert from 'node:assert/strict';
import { Tensor } from '../../js/index.js';
import { Operand, valuesOf } from './operands.js';

const isFloat32 = (value) => Object.prototype.toString.call(value) === '[object Float32Array]';

/** Over which input a result may be written. */
const OVER = { y: ['first'], dx: ['first', 'x'] };
const OF_X = ['first', 'x', 'y', 'dx'];

/** @param {import('./requests.js').Request} request */
export class Call {
  /** @type {Record<string, Operand>} */
  operands = {};
  /** @type {Record<string, Operand>} */
  outs = {};
  /** What accumulation starts from. */
  before = {};

  constructor(d, an, scope, request) {
    const { operation, pass, shape, settings, arrays, results } = request;
    this.request = request;
    this.function = pass === 'infer' ? an[operation] : an[operation][pass];
    for (const [name, values] of Object.entries(arrays)) {
      const isUpdated = request.updated.includes(name);
      const ownShape = OF_X.includes(name) ? shape : undefined;
      this.operands[name] = new Operand(d, scope, values, ownShape, { isOutput: isUpdated });
    }
    for (const [name, length] of Object.entries(results)) this.#giveOut(d, scope, name, length);
    this.settings = { ...settings };
    if (this.operands.first.isFlat || d.chance(0.3)) this.settings.shape = shape;
  }

  #giveOut(d, scope, name, length) {
    const { settings, shape } = this.request;
    const isAdded = settings.accumulate === true && name !== 'dx';
    const values = d.floats(length);
    if (isAdded) this.before[name] = values;
    else if (d.chance(0.5)) return;
    const over = d.chance(0.3) ? this.operands[d.pick(OVER[name] ?? [''])] : undefined;
    const ownShape = OF_X.includes(name) ? shape : undefined;
    this.outs[name] = over?.canBeWritten
      ? over
      : new Operand(d, scope, values, ownShape, { isOutput: true });
  }

  /** The arguments, which a mistake may change before they are used. */
  arguments() {
    const { first, ...operands } = Object.fromEntries(
      Object.entries(this.operands).map(([name, operand]) => [name, operand.value]),
    );
    const out = Object.fromEntries(
      Object.entries(this.outs).map(([name, operand]) => [name, operand.value]),
    );
    const options = { ...this.settings, ...operands };
    if (this.request.pass !== 'infer') options.out = out;
    else if (out.y) options.out = out.y;
    return [first, options];
  }

  /** All memory of the caller's, as bits. */
  memory() {
    return [...Object.values(this.operands), ...Object.values(this.outs)].map(
      (operand) => operand.everything,
    );
  }

  /** Inputs, as bits, but for those that are written: `updated` in place, or results over them. */
  inputs(updated = this.request.updated) {
    const written = new Set([
      ...Object.values(this.outs),
      ...updated.map((name) => this.operands[name]),
    ]);
    return Object.values(this.operands)
      .filter((operand) => !written.has(operand))
      .map((operand) => operand.everything);
  }

  /** Checks what the function returned. */
  judge(returned, label) {
    const { pass, results, updated, judge } = this.request;
    const got = {};
    for (const [name, length] of Object.entries(results)) {
      const result = pass === 'infer' ? returned : returned[name];
      const kind = this.operands.first.isTensor ? Tensor : Float32Array;
      if (this.outs[name]) assert.equal(valuesOf(result), valuesOf(this.outs[name].value), label);
      else assert.ok(result instanceof kind, `${label}: ${name} is of the wrong kind`);
      assert.ok(isFloat32(valuesOf(result)), `${label}: ${name}`);
      assert.equal(valuesOf(result).length, length, `${label}: length of ${name}`);
      got[name] = valuesOf(result);
    }
    for (const name of updated) got[name] = valuesOf(this.operands[name].value);
    judge(got, label, this.before);
  }
}
