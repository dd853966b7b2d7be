import assert from 'node:assert/strict';

const QUIET_NAN = 0x7fc00000;

/**
 * The bit patterns of the values. WebAssembly leaves sign and payload of a NaN open, so all NaNs
 * count as one.
 * @param {Float32Array} values
 */
export function bits(values) {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length).slice();
  for (let i = 0; i < words.length; i++) {
    if ((words[i] & 0x7fffffff) > 0x7f800000) words[i] = QUIET_NAN;
  }
  return words;
}

/**
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {string} label
 */
export function sameBits(got, want, label) {
  assert.equal(got.length, want.length, `${label}: length`);
  const a = bits(got);
  const b = bits(want);
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) {
      assert.fail(`${label}[${i}]: expected the bits of ${want[i]}, got ${got[i]}`);
    }
  }
}
