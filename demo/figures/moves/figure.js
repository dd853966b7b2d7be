/** Change one, see who moves: forward by the bits of the outputs, backward by the gradient. */
import { workbench } from '../grid/workbench.js';

/** The third example's petal length has grown from 1.3 to 4.5. */
const CHANGED = 'e10_4.5';

export function figure(root, an) {
  const state = (label, change) => ({ label, state: { data: CHANGED, ...change } });
  workbench(root, an, {
    name: 'moves',
    title: 'One cell of x has changed: which outputs move?',
    hasBackward: true,
    initial: { data: CHANGED },
    presets: [
      state('Batch', { norm: 'batch' }),
      state('Layer', { norm: 'layer' }),
      state('Batch, backward', { norm: 'batch', direction: 'backward', inject: 10 }),
      state('Layer, backward', { norm: 'layer', direction: 'backward', inject: 10 }),
      state('Images, groups', {
        ...{ preset: 'image', norm: 'group', groups: 3, data: 'e8_9' },
      }),
    ],
    question: {
      ask: 'In example 3 the petal length was changed from 1.3 to 4.5. Under BatchNorm, which outputs move?',
      choices: ['That one alone', 'All of example 3', 'Petal length, of every example'],
      right: 2,
      fits: ({ preset, data }) => preset === 'iris' && data[0] !== 't',
      because:
        'The column shares one mean and one variance, so all of it moves. Under LayerNorm it is the row: the other rows keep every bit. Try the switch.',
    },
  });
}
