// Serves the page from demo/ and builds it into build/demo, for any folder of any host.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: './',
  build: { outDir: here('../build/demo'), emptyOutDir: true, target: ['es2022', 'safari16.4'] },
});
