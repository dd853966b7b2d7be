/* The guises in which an array is handed over. */
import vm from 'node:vm';

/** Values around a view in its buffer. */
const MARGIN = 3;
const AROUND = -77;

const OtherRealm = vm.runInNewContext('Float32Array');

/** `values` amid others. */
function view(values, whole = new Float32Array(values.length + 2 * MARGIN)) {
  whole.fill(AROUND).set(values, MARGIN);
  return whole.subarray(MARGIN, MARGIN + values.length);
}

/** Guise -> (values, shape, scope) -> operand. */
const GUISES = {
  plain: (values) => values.slice(),
  view: (values) => view(values),
  shared: (values) =>
    view(values, new Float32Array(new SharedArrayBuffer(4 * (values.length + 2 * MARGIN)))),
  otherRealm: (values) => view(values, new OtherRealm(values.length + 2 * MARGIN)),
  shape: (values, shape) => ({ data: values.slice(), shape }),
  dims: (values, shape) => ({ data: view(values), dims: Int32Array.from(shape) }),
  tensor: (values, shape, scope) => scope.tensor(shape, values),
  flatTensor: (values, _, scope) => scope.tensor(values.length, values),
  tensorView: (values, _, scope) => scope.tensor(values.length + 2 * MARGIN),
};
const FLAT = ['plain', 'view', 'shared', 'otherRealm', 'flatTensor', 'tensorView'];
const INPUTS = Object.keys(GUISES);
/** A result has to be written where it is, not to a view of it. */
const OUTPUTS = INPUTS.filter((guise) => guise !== 'tensorView');

/** An array in a guise. Views of tensors have to be asked for again after tensors were made. */
export class Operand {
  #given;
  #length;
  #isTensorView;

  constructor(d, scope, values, shape = [values.length], { isOutput = false } = {}) {
    const guise = d.pick(isOutput ? OUTPUTS : INPUTS);
    this.#given = GUISES[guise](values, shape, scope);
    this.#length = values.length;
    this.#isTensorView = guise === 'tensorView';
    this.isFlat = FLAT.includes(guise);
    this.canBeWritten = OUTPUTS.includes(guise);
    this.isTensor = guise === 'tensor' || guise === 'flatTensor';
    if (this.#isTensorView) view(values, this.#given.data);
  }

  /** What the library is given. */
  get value() {
    if (!this.#isTensorView) return this.#given;
    return this.#given.data.subarray(MARGIN, MARGIN + this.#length);
  }

  /** Everything that a write through it could reach, as bits. */
  get everything() {
    const { data = this.#given } = this.#given;
    const isWasm = this.isTensor || this.#isTensorView;
    const all = isWasm ? data : new Float32Array(data.buffer);
    return new Uint32Array(all.slice().buffer);
  }
}

/** The values of an array of any guise, not copied. */
export const valuesOf = (array) => array.data ?? array;
