const { load } = require('axisnorm');
const { checkNorms } = require('./check.cjs');

load().then((an) => console.log(checkNorms(an)));
