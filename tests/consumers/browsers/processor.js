// The scope of an AudioWorklet has no fetch, no import(), no timers and no text decoder.

import { checkNorms } from './check.js';
import { load as loadWhole } from './node_modules/axisnorm/js/index.js';
import { layerNorm, load, rmsNorm } from './node_modules/axisnorm/js/slim.js';

registerProcessor(
  'axisnorm',
  class extends AudioWorkletProcessor {
    constructor({ processorOptions: { module } }) {
      super();
      this.start(module).catch((error) => this.port.postMessage(`failed: ${error.message}`));
    }

    async start(source) {
      this.an = await load({ source, norms: { layerNorm, rmsNorm } });
      if ('fetch' in globalThis) throw new Error('expected a scope without fetch');
      const without = await loadWhole().then(checkNorms, ({ message }) => message);
      this.port.postMessage(`${checkNorms(this.an)}; without: ${without}`);
    }

    process([[input]], [[output]]) {
      this.an.rmsNorm(input, { normalizedShape: input.length, eps: 0, out: output });
      return true;
    }
  },
);
