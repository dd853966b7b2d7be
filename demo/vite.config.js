// Serves the page from demo/ and builds it into build/demo, for any folder of any host. Every figure
// is a page of its own, too.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { handwrittenDigits } from './handwriting/plugin.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const pagesOfFigures = () =>
  readdirSync(here('figures'))
    .map((name) => here(`figures/${name}/index.html`))
    .filter((path) => existsSync(path) && existsSync(path.replace('index.html', 'figure.js')));

/** Kernels with the trainer have names that tell them from the norms alone. */
const chunkFileNames = ({ facadeModuleId }) =>
  `assets/${facadeModuleId?.includes('/wasm/train/') ? 'train-' : ''}[name]-[hash].js`;

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [handwrittenDigits()],
  // Workers fetch the build of the kernels that they use, which only modules can.
  worker: { format: 'es', rolldownOptions: { output: { chunkFileNames } } },
  build: {
    outDir: here('../build/demo'),
    emptyOutDir: true,
    target: ['es2022', 'safari16.4'],
    rolldownOptions: {
      input: [here('index.html'), ...pagesOfFigures()],
      output: { chunkFileNames },
      checks: { pluginTimings: false },
    },
  },
});
