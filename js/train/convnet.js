/** @import { Runtime } from '../runtime.js' */
/** @import { ConvnetOptions, ConvnetSettings } from './convnet-settings.js' */
/** @import { Loss } from './cross-entropy.js' */
/** @import { Parameter } from './parameters.js' */
import { describe, wrongKind } from '../check.js';
import { Context } from './context.js';
import { ConvBlock } from './conv-block.js';
import { convnetSettings } from './convnet-settings.js';
import { CrossEntropy } from './cross-entropy.js';
import { lengthOf } from './images.js';
import { Linear } from './linear.js';
import { Arena, filling } from './memory.js';
import { Random } from './random.js';

/** What has been computed of the batch. */
const NOTHING = 0;
const INFERRED = 1;
const FORWARD = 2;
const LOSS = 3;

/**
 * A small convolutional network that says what is on an image: blocks of convolution, norm, ReLU
 * and pooling, and a linear layer.
 *
 * All its wasm memory is allocated when it is made; forward(), infer(), loss() and backward() take
 * none.
 */
export class Convnet {
  /**
   * All settings, with the defaults filled in.
   *
   * @type {ConvnetSettings}
   */
  settings;
  /** @internal */
  arena;
  /** @internal */
  context;
  #blocks;
  #head;
  #crossEntropy;
  /** The images, what leaves each block, and the gradients of the latter. */
  #values;
  #gradients;
  #targets;
  #logits;
  #dlogits;
  #computed = NOTHING;

  /**
   * @internal
   * @param {Runtime} runtime
   * @param {Arena} arena  of the network alone
   * @param {ConvnetSettings} settings
   */
  constructor(runtime, arena, settings) {
    const { batch, side, inputs, channels, classes } = settings;
    const context = new Context(runtime.kernels, arena);
    const sizes = [inputs, ...channels].map((count, i) => ({
      ...{ batch, side: side >> i, channels: count },
    }));

    this.settings = settings;
    this.arena = arena;
    this.context = context;
    this.#values = sizes.map((one) => arena.floats(lengthOf(one)));
    this.#gradients = sizes.slice(1).map((one) => arena.floats(lengthOf(one)));
    this.#blocks = channels.map(
      (outputs, i) => new ConvBlock(context, `blocks.${i}`, { ...settings, ...sizes[i], outputs }),
    );
    this.#head = new Linear(context, 'head', {
      ...{ rows: batch, outputs: classes },
      inputs: lengthOf(sizes[channels.length]) / batch,
    });
    this.#crossEntropy = new CrossEntropy(context, { rows: batch, classes });
    this.#targets = arena.array(Int32Array, batch);
    this.#logits = arena.floats(batch * classes);
    this.#dlogits = arena.floats(batch * classes);
    context.parameters.allocate(arena);
    context.parameters.initialize(new Random(settings.seed));
  }

  /**
   * All parameters, in the order of the forward pass.
   *
   * @type {readonly Parameter[]}
   */
  get parameters() {
    return this.context.parameters.list;
  }

  /**
   * The images, [batch][side][side][inputs], which may be written to.
   *
   * @type {Float32Array}
   */
  get images() {
    return this.#values[0].data;
  }

  /**
   * What is on each image, [batch], or -1 where it does not count. May be written to.
   *
   * @type {Int32Array}
   */
  get targets() {
    return this.#targets.data;
  }

  /**
   * What forward() or infer() has found, [batch][classes].
   *
   * @type {Float32Array}
   */
  get logits() {
    return this.#logits.data;
  }

  /**
   * Computes the logits as in training: BatchNorm takes the statistics of the batch, and brings the
   * running ones up to date.
   */
  forward() {
    this.#run(true);
    this.#computed = FORWARD;
  }

  /** Computes the logits as in use: BatchNorm takes the running statistics. */
  infer() {
    this.#run(false);
    this.#computed = INFERRED;
  }

  /**
   * Compares the logits with the targets.
   *
   * @returns {Loss} the same object each time
   * @throws {RangeError} a target is no class
   */
  loss() {
    this.#expect(INFERRED, 'loss: expected forward() or infer() before it');
    const result = this.#crossEntropy.run(this.#dlogits, this.#logits, this.#targets);
    if (this.#computed === FORWARD) this.#computed = LOSS;
    return result;
  }

  /** Computes the gradients of the loss with respect to all parameters. */
  backward() {
    this.#expect(LOSS, 'backward: expected forward() and loss() before it');
    const blocks = this.#blocks;
    const gradients = this.#gradients;
    const last = blocks.length - 1;
    this.#head.backward(gradients[last], this.#dlogits, this.#values[last + 1]);
    for (let i = last; i >= 0; i -= 1) {
      blocks[i].backward(i === 0 ? undefined : gradients[i - 1], gradients[i]);
    }
  }

  /** Frees the memory. The network and its trainers can then no longer be used. */
  dispose() {
    this.arena.dispose();
  }

  /** @param {boolean} isTraining */
  #run(isTraining) {
    const blocks = this.#blocks;
    const values = this.#values;
    this.#computed = NOTHING;
    for (let i = 0; i < blocks.length; i += 1) {
      blocks[i].forward(values[i + 1], values[i], isTraining);
    }
    this.#head.forward(this.#logits, values[blocks.length]);
  }

  /**
   * @param {number} computed
   * @param {string} message
   */
  #expect(computed, message) {
    this.arena.expectAlive();
    if (this.#computed < computed) throw new Error(message);
  }
}

/**
 * @param {Runtime} runtime
 * @param {ConvnetOptions} [options]
 */
export function convnet(runtime, options = {}) {
  const settings = convnetSettings(options);
  const arena = new Arena(runtime.heap, 'convnet');
  return filling(arena, () => new Convnet(runtime, arena, settings));
}

/** @param {unknown} model */
export function expectConvnet(model) {
  if (!(model instanceof Convnet)) {
    throw wrongKind('model', 'what convnet() has made', describe(model));
  }
}
