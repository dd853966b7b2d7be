// The page: the grid at once, every other figure when its section comes near.
import * as grid from './figures/grid/figure.js';
import { start } from './start.js';

const lazy = Object.entries(
  import.meta.glob(['./figures/*/figure.js', '!./figures/grid/figure.js']),
).map(([path, get]) => [path.split('/')[2], get]);

start({ ...Object.fromEntries(lazy), grid: async () => grid }, ['grid']);
