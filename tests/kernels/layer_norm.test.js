import { layerNorm } from '../helpers/norms.js';
import { HEIGHTS, WIDTHS } from '../helpers/sizes.js';
import { product, testKernels } from '../helpers/suite.js';

testKernels(layerNorm, {
  sizes: [
    ...product({ rows: [1, 3, 6], cols: WIDTHS }),
    ...product({ rows: HEIGHTS, cols: [1, 3, 4, 7, 13, 66, 257, 770] }),
    { rows: 1, cols: 1000003 }, // as exact as a short one
  ],
  few: [
    { rows: 5, cols: 3 },
    { rows: 6, cols: 13 },
    { rows: 2, cols: 32 },
  ],
  neighbours: [
    { rows: 9, cols: 5 },
    { rows: 14, cols: 11 },
    { rows: 35, cols: 67 },
    { rows: 14, cols: 1025 },
  ],
  lengths: product({ rows: [5], cols: [1, 2, 3, 5, 8, 11, 37, 100, 513, 1030, 4099, 8195] }),
});
