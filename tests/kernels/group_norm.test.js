import { groupNorm } from '../helpers/norms.js';
import { HEIGHTS, range, WIDTHS } from '../helpers/sizes.js';
import { product, testKernels } from '../helpers/suite.js';

/** Both layouts of every entry. */
const layouts = (sizes) =>
  sizes.flatMap((one) => [
    { ...one, channelsLast: false },
    { ...one, channelsLast: true },
  ]);

/** Groups of `width` channels. */
const grouped = ({ width, groups, ...rest }) => ({ ...rest, channels: width * groups, groups });

testKernels(groupNorm, {
  sizes: layouts(
    [
      // every tail of a channel and of a group, groups first and last in a vector
      ...product({ batch: [2], width: [1, 2, 3, 5], groups: [1, 3], spatial: range(1, 20) }),
      ...product({ batch: [1], width: range(1, 17), groups: [2, 5], spatial: [1, 3, 4] }),
      // groups wider and narrower than a strip of channels, more channels than a strip
      ...product({
        batch: [2],
        width: [63, 64, 129, 255, 256, 257, 513],
        groups: [1, 3],
        spatial: [1, 5],
      }),
      ...product({ batch: [2], width: [1, 2, 3, 4, 7], groups: [86, 257], spatial: [1, 3] }),
      // long channels
      ...product({ batch: [1], width: [1, 3], groups: [2], spatial: WIDTHS.filter((w) => w > 30) }),
      { batch: 1, width: 2, groups: 1, spatial: 500009 },
      // batch above and below the number of channels; sums over many examples
      ...product({ batch: HEIGHTS, width: [2], groups: [3], spatial: [5] }),
      ...product({ batch: HEIGHTS, width: [1], groups: [7], spatial: [1, 9] }),
    ].map(grouped),
  ),
  few: layouts([
    { batch: 3, channels: 4, spatial: 5, groups: 2 },
    { batch: 2, channels: 6, spatial: 1, groups: 2 },
    { batch: 5, channels: 3, spatial: 7, groups: 3 },
    { batch: 2, channels: 10, spatial: 9, groups: 5 },
  ]),
  neighbours: layouts([
    { batch: 4, channels: 15, spatial: 6, groups: 5 },
    { batch: 2, channels: 14, spatial: 67, groups: 14 },
    { batch: 3, channels: 10, spatial: 129, groups: 5 },
    { batch: 2, channels: 600, spatial: 3, groups: 2 },
    { batch: 1, channels: 26, spatial: 700, groups: 2 },
  ]),
  lengths: layouts([
    { batch: 2, channels: 3, spatial: 1, groups: 3 },
    { batch: 3, channels: 4, spatial: 1, groups: 2 },
    { batch: 1, channels: 9, spatial: 1, groups: 3 },
    { batch: 1, channels: 9, spatial: 5, groups: 3 },
    { batch: 2, channels: 5, spatial: 37, groups: 5 },
    { batch: 2, channels: 2, spatial: 513, groups: 1 },
    { batch: 1, channels: 771, spatial: 2, groups: 3 },
    { batch: 1, channels: 6, spatial: 1400, groups: 2 },
    { batch: 2, channels: 2, spatial: 4099, groups: 2 },
  ]),
});
