const output = (name) => ({ path: new URL(`dist/${name}`, import.meta.url).pathname });

export default ['node', 'web'].map((target) => ({
  mode: 'production',
  target,
  entry: './webpack.js',
  output: output(`webpack-${target}`),
}));
