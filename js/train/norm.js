/** @import { Context, Layer, Values } from './context.js' */
import { DEFAULT_EPS } from '../check.js';
import { expectOk } from '../status.js';
import { constant } from './init.js';

/** @typedef {{ rows: number, width: number }} Sizes */

/** LayerNorm of each row; gamma starts as ones, beta as zeros. */
class LayerNorm {
  #kernels;
  #rows;
  #width;
  #gamma;
  #beta;
  #mean;
  #rstd;
  #workspace;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {Sizes} sizes
   */
  constructor({ kernels, arena, parameters }, name, { rows, width }) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#width = width;
    this.#gamma = parameters.add(`${name}.gamma`, [width], constant(1));
    this.#beta = parameters.add(`${name}.beta`, [width], constant(0));
    this.#mean = arena.floats(rows);
    this.#rstd = arena.floats(rows);
    this.#workspace = arena.floats(kernels.an_workspace_size(width) / 4);
  }

  /**
   * @param {Values} y  [rows][width]; may be x
   * @param {Values} x
   */
  forward(y, x) {
    expectOk(
      'layerNorm',
      this.#kernels.an_layer_norm_forward(
        y.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        x.ptr,
        this.#gamma.ptr,
        this.#beta.ptr,
        this.#rows,
        this.#width,
        DEFAULT_EPS,
        0,
      ),
    );
  }

  /**
   * @param {Values} dx  may be dy
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    expectOk(
      'layerNorm',
      this.#kernels.an_layer_norm_backward(
        dx.ptr,
        this.#gamma.gradientPtr,
        this.#beta.gradientPtr,
        dy.ptr,
        x.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        this.#gamma.ptr,
        this.#workspace.ptr,
        this.#rows,
        this.#width,
        DEFAULT_EPS,
        0,
      ),
    );
  }
}

/** RMSNorm of each row; gamma starts as ones. */
class RmsNorm {
  #kernels;
  #rows;
  #width;
  #gamma;
  #rstd;
  #workspace;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {Sizes} sizes
   */
  constructor({ kernels, arena, parameters }, name, { rows, width }) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#width = width;
    this.#gamma = parameters.add(`${name}.gamma`, [width], constant(1));
    this.#rstd = arena.floats(rows);
    this.#workspace = arena.floats(kernels.an_workspace_size(width) / 4);
  }

  /**
   * @param {Values} y  [rows][width]; may be x
   * @param {Values} x
   */
  forward(y, x) {
    expectOk(
      'rmsNorm',
      this.#kernels.an_rms_norm_forward(
        y.ptr,
        this.#rstd.ptr,
        x.ptr,
        this.#gamma.ptr,
        this.#rows,
        this.#width,
        this.#width,
        0,
        DEFAULT_EPS,
        0,
      ),
    );
  }

  /**
   * @param {Values} dx  may be dy
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    expectOk(
      'rmsNorm',
      this.#kernels.an_rms_norm_backward(
        dx.ptr,
        this.#gamma.gradientPtr,
        dy.ptr,
        x.ptr,
        this.#rstd.ptr,
        this.#gamma.ptr,
        this.#workspace.ptr,
        this.#rows,
        this.#width,
        this.#width,
        0,
        DEFAULT_EPS,
        0,
      ),
    );
  }
}

export const NORMS = Object.freeze({ layer: LayerNorm, rms: RmsNorm });

/** @typedef {keyof typeof NORMS} NormKind */

/**
 * @param {Context} context
 * @param {NormKind} kind
 * @param {string} name
 * @param {Sizes} sizes
 * @returns {Layer}
 */
export const norm = (context, kind, name, sizes) => new NORMS[kind](context, name, sizes);
