import { load } from 'axisnorm';
import { checkNorms } from './check.js';

console.log(checkNorms(await load()));
