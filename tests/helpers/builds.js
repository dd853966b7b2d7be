/**
 * Both builds of the kernels as raw instances: no JavaScript of the library in between.
 * AXISNORM_WASM names another folder with scalar.js and simd128.js, and AXISNORM_FAULT the planted
 * fault that modules from there switch on (kernels/planted_faults.test.js).
 */
import { pathToFileURL } from 'node:url';
import { bytesOf } from '../../tools/packaged.mjs';

const { AXISNORM_WASM, AXISNORM_FAULT } = process.env;

const PAGE = 65536;

/** One instance and a bump allocator on its memory. */
export class Build {
  #top;
  #words = new Uint32Array(0);

  /** @param {string} name @param {WebAssembly.Instance} instance */
  constructor(name, instance) {
    this.name = name;
    this.exports = instance.exports;
    this.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    this.#top = this.#base;
  }

  get #base() {
    return Math.ceil(this.exports.__heap_base.value / 64) * 64;
  }

  /** The whole memory, as words and as floats. */
  get words() {
    if (this.#words.buffer !== this.memory.buffer) {
      this.#words = new Uint32Array(this.memory.buffer);
    }
    return this.#words;
  }

  /** @param {number} ptr @param {number} length */
  floats(ptr, length) {
    return new Float32Array(this.memory.buffer, ptr, length);
  }

  /** Bytes that start at a multiple of 64. */
  alloc(bytes) {
    const ptr = this.#top;
    this.#top = Math.ceil((ptr + bytes) / 64) * 64;
    const missing = this.#top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return ptr;
  }

  /** Forgets every allocation. */
  reset() {
    this.#top = this.#base;
  }
}

async function load(folder, name) {
  const bytes = bytesOf(await import(new URL(`${name}.js`, folder)));
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const build = new Build(name, instance);
  const fault = instance.exports.an_fault;
  if (fault) build.words[fault.value / 4] = Number(AXISNORM_FAULT);
  return build;
}

const folderOf = (path) =>
  AXISNORM_WASM ? pathToFileURL(`${AXISNORM_WASM}/`) : new URL(`../../${path}`, import.meta.url);

const loadBoth = (path) =>
  Promise.all(['scalar', 'simd128'].map((name) => load(folderOf(path), name)));

/** By module: both builds of axisnorm and of axisnorm-train. */
export const builds = {
  norms: await loadBoth('js/wasm/'),
  train: await loadBoth('js/wasm/train/'),
};
