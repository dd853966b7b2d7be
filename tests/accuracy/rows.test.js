import { testLimits } from './holds.js';

testLimits('layerNorm', 'rmsNorm', 'weightStandardize');
