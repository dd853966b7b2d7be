const { load } = require('axisnorm');
const layers = require('axisnorm/layers');
const { checkLayers } = require('./check.cjs');

load().then((an) => console.log(checkLayers(an, layers)));
