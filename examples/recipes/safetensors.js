const KINDS = { F32: Float32Array, I64: BigInt64Array }; // I64: num_batches_tracked

/** name -> { data, shape } of the bytes of a file, which are not copied where they are aligned. */
export function readSafetensors(bytes) {
  const { buffer, byteOffset } = bytes;
  const length = Number(new DataView(buffer, byteOffset).getBigUint64(0, true));
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const { __metadata__, ...entries } = JSON.parse(header);
  const weights = {};
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(entries)) {
    const Kind = KINDS[dtype];
    if (Kind === undefined) {
      throw new TypeError(`${name}: expected dtype F32, got ${dtype}; save model.float() instead`);
    }
    const [start, end] = data_offsets.map((offset) => byteOffset + 8 + length + offset);
    const size = Kind.BYTES_PER_ELEMENT;
    const isAligned = start % size === 0;
    const data = isAligned
      ? new Kind(buffer, start, (end - start) / size)
      : new Kind(buffer.slice(start, end));
    weights[name] = { data, shape };
  }
  return weights;
}
