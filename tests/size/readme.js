/** What the README says of sizes, in kilobytes, beside what it should say. */

/** Of the time to the first result, docs/size.md has what others transfer. */
const transferredBy = (page, title) =>
  Number(page.match(new RegExp(`^\\| ${title}[^|]*\\| +([\\d.]+) \\|`, 'm'))?.[1]);

/**
 * @param {import('./items.js').Item[]} items
 * @param {string} page  docs/size.md
 */
export function readmeFigures(items, page) {
  const inKB = (...ids) =>
    ids.reduce((sum, id) => sum + items.find((item) => item.id === id).gzip, 0) / 1024;

  const figures = [
    [/imports `axisnorm` transfers ([\d.]+) KB/, inKB('axisnorm: one visit')],
    [/([\d.]+) KB of them JavaScript/, inKB('axisnorm: JavaScript')],
    [
      /`axisnorm\/slim` and one norm ([\d.]+) KB/,
      inKB('axisnorm/slim: layerNorm', 'axisnorm/wasm/simd128.wasm'),
    ],
    [/onnxruntime-web it transfers ([\d.]+) KB/, transferredBy(page, 'onnxruntime-web')],
    [/TensorFlow\.js\s([\d.]+) KB/, transferredBy(page, 'TensorFlow.js')],
    [/jax-js\s([\d.]+) KB/, transferredBy(page, 'jax-js')],
  ];
  /** @param {string} readme */
  return (readme) =>
    figures.map(([pattern, expected]) => {
      const [what = String(pattern), written = 'nothing'] = readme.match(pattern) ?? [];
      return { what: what.replace(/\s+/g, ' '), written: Number(written), expected };
    });
}
