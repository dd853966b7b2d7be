// A wasm module without the limit that its memory declares: engines reserve room for what a module
// declares, and emcc declares 2 GiB where memory may grow. How far it grows is up to the engine then.

const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

/** An unsigned LEB128 number at a place, and the place behind it. */
function numberAt(bytes, start) {
  let value = 0;
  let end = start;
  do value += (bytes[end] & 127) * 2 ** (7 * (end - start));
  while (bytes[end++] & 128);
  return { value, end };
}

/** Where the memory section is: its content, and the section as a whole. */
function memorySection(bytes) {
  for (let start = 8, next; start < bytes.length; start = next) {
    const { value: size, end: content } = numberAt(bytes, start + 1);
    next = content + size;
    if (bytes[start] === MEMORY_SECTION) return { start, content, next };
  }
  throw new Error('the module has no memory');
}

/** @param {Buffer} bytes */
export function withoutMemoryLimit(bytes) {
  const { start, content, next } = memorySection(bytes);
  const [count, flags] = bytes.subarray(content);
  if (count !== 1) throw new Error(`the module has ${count} memories`);
  if ((flags & HAS_MAXIMUM) === 0) return bytes;
  const least = bytes.subarray(content + 2, numberAt(bytes, content + 2).end);
  const section = [MEMORY_SECTION, 2 + least.length, count, flags & ~HAS_MAXIMUM, ...least];
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(section), bytes.subarray(next)]);
}
