import { testLimits } from './holds.js';

testLimits('groupNorm', 'instanceNorm');
