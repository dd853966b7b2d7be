import { load } from 'axisnorm';
import { checkNorms } from './check.js';

postMessage(checkNorms(await load()));
