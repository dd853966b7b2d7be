const { load } = require('axisnorm/train');
const { checkTraining } = require('./check.cjs');

load().then((t) => console.log(checkTraining(t)));
