const { pathToFileURL } = require('node:url');
const { layerNorm, load } = require('axisnorm/slim');
const { checkNorms } = require('./check.cjs');

const source = (build) => pathToFileURL(require.resolve(`axisnorm/wasm/${build}.wasm`));
load({ source, norms: { layerNorm } }).then((an) => console.log(checkNorms(an)));
