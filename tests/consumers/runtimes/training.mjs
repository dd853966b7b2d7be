import { load } from 'axisnorm/train';
import { checkTraining } from './check.js';

console.log(checkTraining(await load()));
