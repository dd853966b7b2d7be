/** From Instance to one group: the slider of groups on images. */
import { workbench } from '../grid/workbench.js';

export function figure(root, an) {
  const preset = (label, state) => ({ label, state });
  workbench(root, an, {
    name: 'groups',
    title: 'Six channels, split into groups',
    initial: { preset: 'image', norm: 'group', groups: 3 },
    presets: [
      preset('6 groups: Instance', { groups: 6 }),
      preset('3 groups of 2', { groups: 3 }),
      preset('2 groups of 3', { groups: 2 }),
      preset('One group', { groups: 1 }),
      preset('LayerNorm', { norm: 'layer' }),
    ],
  });
}
