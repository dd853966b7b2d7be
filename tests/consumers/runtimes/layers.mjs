import { load } from 'axisnorm';
import * as layers from 'axisnorm/layers';
import { checkLayers } from './check.js';

console.log(checkLayers(await load(), layers));
