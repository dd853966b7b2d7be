/**
 * What the machine's simd128 units can do at most: multiplications and additions of vectors in
 * registers, in chains that do not wait for each other. The module is assembled here, so that no
 * compiler has a say.
 */
const OP = {
  loop: [0x03, 0x40],
  branchIf: [0x0d, 0],
  end: [0x0b],
  i32Const: (n) => [0x41, n & 0x7f],
  i32Sub: [0x6b],
  get: (local) => [0x20, local],
  set: (local) => [0x21, local],
  tee: (local) => [0x22, local],
  f32Const: (bytes) => [0x43, ...bytes],
  splat: [0xfd, 0x13],
  first: [0xfd, 0x1f, 0],
  add: [0xfd, 0xe4, 0x01],
  mul: [0xfd, 0xe6, 0x01],
};
const ONE = [0, 0, 0x80, 0x3f];
const [I32, F32, V128] = [0x7f, 0x7d, 0x7b];
/** Steps of every chain in a turn of the loop. */
const STEPS = 8;
const LANES = 4;

function leb(n) {
  const bytes = [];
  for (; n > 0x7f; n >>>= 7) bytes.push((n & 0x7f) | 0x80);
  return [...bytes, n];
}
const counted = (bytes) => [...leb(bytes.length), ...bytes];
const section = (id, ...items) => [id, ...counted([items.length, ...items.flat()])];

/** run(turns): half of the chains is multiplied by one, the other half added to, STEPS times a turn. */
function assemble(chains) {
  const [turns, one, first] = [0, 1, 2];
  const numbers = Array.from({ length: chains }, (_, i) => first + i);
  const step = (c) => [OP.get(c), OP.get(one), c % 2 ? OP.mul : OP.add, OP.set(c)].flat();
  const code = [
    ...[OP.f32Const(ONE), OP.splat, OP.set(one)],
    OP.loop,
    ...Array.from({ length: STEPS }, () => numbers.flatMap(step)),
    ...[OP.get(turns), OP.i32Const(1), OP.i32Sub, OP.tee(turns), OP.branchIf, OP.end],
    ...[OP.get(one), numbers.flatMap((c) => [...OP.get(c), ...OP.add]), OP.first, OP.end],
  ].flat();
  const locals = [1, chains + 1, V128];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, 1, I32, 1, F32]),
    ...section(3, [0]),
    ...section(7, [...counted([...Buffer.from('run')]), 0, 0]),
    ...section(10, counted([...locals, ...code])),
  ]);
}

/**
 * @param {(run: () => void) => number} seconds  of one run
 * @returns {number} multiplications and additions of float32 values, in 10^9 a second
 */
export function peak(seconds) {
  const TURNS = 2000;
  const rates = [8, 10, 12, 14].map((chains) => {
    const { run } = new WebAssembly.Instance(new WebAssembly.Module(assemble(chains))).exports;
    return (TURNS * STEPS * chains * LANES) / seconds(() => run(TURNS)) / 1e9;
  });
  return Math.max(...rates);
}
