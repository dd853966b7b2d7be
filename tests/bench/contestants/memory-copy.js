/**
 * The least that moving the bytes costs: one memory.copy of as many as the operation has to read
 * and write. The module is written out, so that no compiler has a say.
 */
import { Arena } from './arena.js';

/** copy(to, from, bytes) and its memory. */
const MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 7, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0], // (i32, i32, i32) -> ()
  ...[3, 2, 1, 0, 5, 3, 1, 0, 1], // one function, one memory of a page
  ...[7, 17, 2, 6, ...[...'memory'].map((c) => c.charCodeAt(0)), 2, 0],
  ...[4, ...[...'copy'].map((c) => c.charCodeAt(0)), 0, 0],
  ...[10, 14, 1, 12, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 10, 0, 0, 0x0b],
);

/** @returns {Promise<import('../suite.js').Contestant>} */
export async function memoryCopy() {
  const { instance } = await WebAssembly.instantiate(MODULE);
  const { memory, copy } = instance.exports;
  const arena = new Arena(memory, 0);
  return {
    id: 'copy',
    prepare({ bytes }) {
      const half = bytes / 2;
      const [to, from] = [arena.alloc(half), arena.alloc(half)];
      return { call: [copy, to, from, half], end: () => arena.reset() };
    },
  };
}
