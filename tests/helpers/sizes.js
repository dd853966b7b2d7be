export const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Lengths that meet every tail, every unrolled loop and the edges of blocks and chunks. */
export const WIDTHS = [
  ...range(1, 17), // less than a vector, whole vectors, every tail; one step of an unrolled loop
  ...[31, 32, 33, 63, 64, 65, 66, 67, 129],
  ...[255, 256, 257, 511, 512, 513, 769, 1021, 1025], // blocks of float32 sums, strips of channels
  ...[4095, 4096, 4097, 4098, 4099, 4100, 8191, 8193, 10007], // chunks
];

/** Several rows at a time, and blocks of 32 for the sums over rows. */
export const HEIGHTS = [...range(1, 9), 31, 32, 33, 65, 100];
