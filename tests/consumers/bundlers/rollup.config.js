import resolve from '@rollup/plugin-node-resolve';

const output = (format, ending) => ({
  dir: `dist/rollup-${format}`,
  format,
  entryFileNames: `[name].${ending}`,
  chunkFileNames: `[name]-[hash].${ending}`,
});

export default {
  input: 'rollup.js',
  output: [output('es', 'mjs'), output('cjs', 'cjs')],
  plugins: [resolve()],
  // A warning is a fault of the package.
  onwarn({ message }) {
    throw new Error(message);
  },
};
