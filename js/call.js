/** @import { Packing } from './mask.js' */
/** @import { Runtime } from './runtime.js' */
import { overlap } from './arrays.js';
import { ABSENT, Block, toBlock } from './block.js';
import { expectOptions, outOfRange, wrongKind } from './check.js';
import { packed } from './heap.js';
import { format, sameArrangement, sameShape, sizeOf, toShape } from './shape.js';
import { overlapError, statusError } from './status.js';

/** The workspace of more does not fit into wasm memory. */
const MAX_PARAMETERS = 2 ** 26 - 1;

/**
 * One call of an operation, in this order: name every array (checks only, inputs before outputs),
 * `place()` them in wasm memory, run the kernel, hand its status to `done()`, take the `value` of
 * the outputs. Nothing of the caller's is written before `done()` has seen that all is well.
 */
export class Call {
  #runtime;
  #name;
  /**
   * The blocks that place() and done() have work with; tensors are not among them.
   *
   * @type {Block[]}
   */
  #blocks = [];
  /**
   * Memory for the kernel's own use.
   *
   * @type {Block | null}
   */
  #own = null;
  /**
   * Where a mask moves values together and back.
   *
   * @type {{ whole: Block, together: Block, packing: Packing, isResult: boolean }[]}
   */
  #packed = [];
  /** Whether results are tensors. */
  #givesTensors = false;

  /**
   * @param {Runtime} runtime
   * @param {string} name  of the function, for messages
   * @param {object} options
   * @param {ReadonlySet<string>} known  names of the options
   */
  constructor(runtime, name, options, known) {
    expectOptions(name, options, known);
    this.#runtime = runtime;
    this.#name = name;
  }

  /**
   * The first argument, whose kind the results take.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {unknown} shape  the shape option
   */
  main(name, value, shape) {
    const block = this.#read(name, value);
    this.#givesTensors = block.isTensor;
    return shape === undefined ? block : withShape(name, block, shape);
  }

  /**
   * An input of as many values as another, and of its shape where both have one.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {Block} model
   * @param {string} [hint]  what it is for, for the message
   */
  inputLike(name, value, model, hint) {
    return this.#read(name, value, model.length, model.shape, hint);
  }

  /**
   * An input with a number of values.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {number} length
   * @param {string} [hint]  where the value comes from, for the message
   */
  input(name, value, length, hint) {
    return this.#read(name, value, length, null, hint);
  }

  /**
   * An input that may be left out.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {number} length
   * @param {readonly number[] | null} shape
   */
  optional(name, value, length, shape = null) {
    return value === undefined ? ABSENT : this.#read(name, value, length, shape);
  }

  /**
   * An array that the kernel reads and writes.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {number} length
   * @param {string} [hint]  what it is for, for the message
   */
  updated(name, value, length, hint) {
    const block = this.#read(name, value, length, null, hint);
    this.#expectWritable(name, block);
    block.copyOut = block.data !== null;
    return block;
  }

  /**
   * A result: what the caller gave for it, or a new one.
   *
   * @param {string} name
   * @param {unknown} given
   * @param {number} length
   * @param {readonly number[] | null} shape  null for a flat one
   * @param {Block | null} over  an input in whose scratch memory the kernel may write it
   */
  output(name, given, length, shape = null, over = null) {
    const block =
      given === undefined ? new Block(0, length, shape, undefined) : this.#out(name, given);
    expectFit(name, block, length, shape);
    if (block.ptr !== 0) return block;
    block.makesTensor = given === undefined && this.#givesTensors;
    block.copyOut = !block.makesTensor;
    if (block.copyOut && over?.copyIn) block.over = over;
    this.#blocks.push(block);
    return block;
  }

  /**
   * The workspace of a backward kernel.
   *
   * @param {number} parameters  values in gamma
   */
  workspace(parameters) {
    if (parameters > MAX_PARAMETERS) {
      throw outOfRange(this.#name, `at most ${MAX_PARAMETERS} parameters`, parameters);
    }
    return this.memory(this.#runtime.kernels.an_workspace_size(parameters));
  }

  /**
   * Memory for the kernel's own use, one piece a call.
   *
   * @param {number} bytes
   */
  memory(bytes) {
    this.#own = new Block(0, bytes / 4, null, undefined);
    return this.#own;
  }

  /**
   * Floats for the time of the call.
   *
   * @param {number} length
   */
  scratch(length) {
    const block = new Block(0, length, null, undefined);
    this.#blocks.push(block);
    return block;
  }

  /**
   * The values of an input that count. Without a mask that is all of them, where they are.
   *
   * @param {Block} whole
   * @param {Packing | null} packing
   */
  packed(whole, packing) {
    return this.#together(whole, packing, false);
  }

  /**
   * Where the kernel writes the values of a result that count. The kernel then sees only some of
   * the overlaps that it refuses.
   *
   * @param {Block} whole
   * @param {Packing | null} packing
   * @param {readonly Block[]} outputs  the others
   * @param {readonly Block[]} inputs  but those that are packed
   */
  unpacked(whole, packing, outputs, inputs) {
    if (packing !== null) this.#expectApart(whole, outputs, inputs);
    return this.#together(whole, packing, true);
  }

  /** Gives every block its address and copies the inputs to theirs. */
  place() {
    if (this.#blocks.length === 0 && this.#own === null) return;
    try {
      this.#placeInScratch();
      this.#makeTensors();
      this.#copyIn();
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /**
   * Copies the results out, or throws.
   *
   * @param {number} status  what the kernel returned
   */
  done(status) {
    if (status !== 0) this.fail(statusError(this.#name, status));
    if (this.#blocks.length > 0) this.#copyOut();
    this.#runtime.scratch.close();
  }

  /**
   * Gives back what the call has taken and throws.
   *
   * @param {Error} error
   * @returns {never}
   */
  fail(error) {
    this.#abandon();
    throw error;
  }

  /**
   * Refuses what the kernel refuses where it sees all arguments.
   *
   * @param {Block} whole  may be where an input that is packed is
   * @param {readonly Block[]} outputs
   * @param {readonly Block[]} inputs
   */
  #expectApart(whole, outputs, inputs) {
    const sources = this.#packed.map((one) => one.whole);
    const taken = [...inputs, ...sources];
    for (const output of outputs) {
      this.#expectFree(output, taken);
      taken.push(output);
    }
    const apart = sources.filter(({ ptr }) => ptr !== whole.ptr);
    this.#expectFree(whole, [...inputs, ...outputs, ...apart]);
  }

  /**
   * @param {Block} output
   * @param {readonly Block[]} taken
   */
  #expectFree(output, taken) {
    if (taken.some((other) => inTheWay(output, other))) throw overlapError(this.#name);
  }

  /**
   * @param {Block} whole
   * @param {Packing | null} packing
   * @param {boolean} isResult
   */
  #together(whole, packing, isResult) {
    if (packing === null || whole === ABSENT) return whole;
    const together = this.scratch(Math.max(packing.length, 1));
    this.#packed.push({ whole, together, packing, isResult });
    return together;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {number} [length]
   * @param {readonly number[] | null} [shape]
   * @param {string} [hint]
   */
  #read(name, value, length, shape = null, hint = undefined) {
    const block = toBlock(this.#runtime.heap, name, value, hint);
    if (length !== undefined) expectFit(name, block, length, shape);
    if (block.data !== null) {
      block.copyIn = true;
      this.#blocks.push(block);
    }
    return block;
  }

  /**
   * @param {string} name
   * @param {unknown} given
   */
  #out(name, given) {
    const block = toBlock(this.#runtime.heap, name, given);
    this.#expectWritable(name, block);
    return block;
  }

  /**
   * @param {string} name
   * @param {Block} block
   */
  #expectWritable(name, block) {
    if (block.isTensor) return;
    if (block.data === null)
      throw wrongKind(name, 'the tensor itself', "a view of a tensor's data");
    for (const other of this.#blocks) {
      if (
        other !== block &&
        other.copyOut &&
        other.data !== null &&
        overlap(other.data, block.data)
      ) {
        throw outOfRange(name, 'memory of its own', 'memory of another output');
      }
    }
  }

  #placeInScratch() {
    const own = this.#own === null ? 0 : packed(this.#own.length * 4);
    let bytes = own;
    for (const block of this.#blocks) if (isInScratch(block)) bytes += packed(block.length * 4);
    if (bytes === 0) return;
    let address = this.#runtime.scratch.open(bytes);
    if (this.#own !== null) this.#own.ptr = address;
    address += own;
    for (const block of this.#blocks) {
      if (!isInScratch(block)) continue;
      block.ptr = address;
      address += packed(block.length * 4);
    }
  }

  #makeTensors() {
    for (const block of this.#blocks) {
      if (block.makesTensor) {
        block.value = this.#runtime.tensor(block.shape ?? [block.length]);
        block.ptr = block.value.ptr;
      } else if (block.over !== null) {
        block.ptr = block.over.ptr;
      }
    }
  }

  #copyIn() {
    const { floats } = this.#runtime.heap;
    for (const block of this.#blocks) {
      if (block.copyIn) floats.set(/** @type {Float32Array} */ (block.data), block.ptr / 4);
    }
    for (const { whole, together, packing, isResult } of this.#packed) {
      if (!isResult) packing.pack(floats, whole.ptr / 4, together.ptr / 4);
    }
  }

  #copyOut() {
    const { floats } = this.#runtime.heap;
    for (const { whole, together, packing, isResult } of this.#packed) {
      if (isResult) packing.unpack(floats, together.ptr / 4, whole.ptr / 4, whole.length);
    }
    for (const { copyOut, data, ptr, length } of this.#blocks) {
      if (copyOut && data !== null) data.set(floats.subarray(ptr / 4, ptr / 4 + length));
    }
    for (const block of this.#blocks) {
      if (!block.copyOut || block.data !== null) continue;
      block.value = floats.slice(block.ptr / 4, block.ptr / 4 + block.length);
    }
  }

  #abandon() {
    for (const block of this.#blocks) if (block.makesTensor) block.value?.dispose();
    this.#runtime.scratch.close();
  }
}

/** @param {Block} block */
const isInScratch = (block) => !block.makesTensor && block.over === null;

/**
 * @param {Block} a
 * @param {Block} b
 */
const inTheWay = (a, b) =>
  a.ptr !== 0 && b.ptr !== 0 && a.ptr < b.ptr + 4 * b.length && b.ptr < a.ptr + 4 * a.length;

/**
 * The shape option: for a flat array or tensor its shape, for one that has a shape the same again.
 *
 * @param {string} name
 * @param {Block} block
 * @param {unknown} option
 */
function withShape(name, block, option) {
  if (option === block.shape && option !== null) return block;
  const shape = toShape('shape', option);
  if (block.shape === null || block.shape.length === 1) {
    if (sizeOf(shape) !== block.length) {
      throw outOfRange(name, `length ${sizeOf(shape)} for shape ${format(shape)}`, block.length);
    }
    if (block.isTensor) return new Block(block.ptr, block.length, shape, block.value);
    block.shape = shape;
  } else if (!sameShape(block.shape, shape)) {
    throw outOfRange('shape', `${format(block.shape)} as ${name} has`, format(shape));
  }
  return block;
}

/**
 * @param {string} name
 * @param {Block} block
 * @param {number} length
 * @param {readonly number[] | null} shape
 */
function expectFit(name, block, length, shape) {
  if (block.length !== length) {
    const detail = shape === null || shape.length < 2 ? '' : ` for shape ${format(shape)}`;
    throw outOfRange(name, `length ${length}${detail}`, block.length);
  }
  if (shape === null || block.shape === null || block.shape.length < 2) return;
  if (!sameArrangement(block.shape, shape)) {
    throw outOfRange(name, `shape ${format(shape)}`, format(block.shape));
  }
}
