import { rmsNorm } from '../helpers/norms.js';
import { HEIGHTS, WIDTHS } from '../helpers/sizes.js';
import { product, testKernels } from '../helpers/suite.js';

/** Statistics from the leading columns only, ending before, in and after a vector. */
const PARTIAL = [
  { rows: 5, cols: 2, statCols: 1 },
  ...product({ rows: [1, 2, 7], cols: [18, 77], statCols: [1, 2, 3, 4, 5, 8, 11, 17] }),
  { rows: 3, cols: 1021, statCols: 64 },
  { rows: 34, cols: 300, statCols: 257 },
  { rows: 2, cols: 4099, statCols: 4097 },
];

testKernels(rmsNorm, {
  sizes: [
    ...product({ rows: [1, 3, 6], cols: WIDTHS }),
    ...product({ rows: HEIGHTS, cols: [1, 3, 4, 7, 13, 66, 257, 770] }),
    ...PARTIAL,
    ...product({ rows: [3], cols: [7, 260], gammaOffset: [1, -0.3] }),
    { rows: 4, cols: 45, statCols: 14, gammaOffset: 1 },
    { rows: 1, cols: 1000003 }, // as exact as a short one
  ],
  few: [
    { rows: 5, cols: 3 },
    { rows: 6, cols: 13, statCols: 6, gammaOffset: 1 },
    { rows: 5, cols: 21, statCols: 11, gammaOffset: 1 },
    { rows: 2, cols: 32, statCols: 8 },
  ],
  neighbours: [
    { rows: 9, cols: 5 },
    { rows: 14, cols: 11 },
    { rows: 35, cols: 67, statCols: 30 },
    { rows: 14, cols: 1025, gammaOffset: 1 },
  ],
  lengths: product({ rows: [5], cols: [1, 2, 3, 5, 8, 11, 37, 100, 513, 1030, 4099, 8195] }),
});
