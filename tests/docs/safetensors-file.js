/**
 * A .safetensors file.
 *
 * @param {Record<string, { dtype: string, shape: number[], data: ArrayBufferView }>} arrays
 * @param {number} [padding]  spaces behind the header, which then aligns what follows or does not
 * @returns {Uint8Array & { start: number }} start: where the values begin
 */
export function fileOf(arrays, padding = 0) {
  const header = { __metadata__: { format: 'pt' } };
  let length = 0;
  for (const [name, { dtype, shape, data }] of Object.entries(arrays)) {
    header[name] = { dtype, shape, data_offsets: [length, length + data.byteLength] };
    length += data.byteLength;
  }
  const json = JSON.stringify(header).padEnd(512) + ' '.repeat(padding);
  const start = 8 + json.length;
  const file = new Uint8Array(start + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(new TextEncoder().encode(json), 8);
  for (const [name, { data }] of Object.entries(arrays)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    file.set(bytes, start + header[name].data_offsets[0]);
  }
  return Object.assign(file, { start });
}
