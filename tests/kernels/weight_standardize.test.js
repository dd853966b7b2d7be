import { weightStandardize } from '../helpers/norms.js';
import { HEIGHTS, WIDTHS } from '../helpers/sizes.js';
import { product, testKernels } from '../helpers/suite.js';

testKernels(weightStandardize, {
  sizes: [
    ...product({ filters: [1, 3, 6], fanIn: WIDTHS }),
    ...product({ filters: HEIGHTS, fanIn: [1, 3, 4, 9, 13, 27, 257, 770] }),
    { filters: 1, fanIn: 1000003 }, // as exact as a short one
  ],
  few: [
    { filters: 5, fanIn: 3 },
    { filters: 6, fanIn: 13 },
    { filters: 2, fanIn: 32 },
  ],
  neighbours: [
    { filters: 9, fanIn: 5 },
    { filters: 14, fanIn: 11 },
    { filters: 35, fanIn: 67 },
    { filters: 14, fanIn: 1025 },
  ],
  lengths: product({ filters: [5], fanIn: [1, 2, 3, 5, 8, 11, 37, 100, 513, 1030, 4099, 8195] }),
});
