import { testLimits } from './holds.js';

testLimits('batchNormTraining', 'batchNormInference');
