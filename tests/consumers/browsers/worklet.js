import { report } from './report.js';

const RATE = 48_000;
const BLOCK = 128;

/** Loudness of a block: the root of the mean square. */
const loudness = (block) => Math.sqrt(block.reduce((sum, v) => sum + v * v, 0) / block.length);

/** Renders a tone that fades, made equally loud by the worklet. */
async function render() {
  const context = new OfflineAudioContext(1, 64 * BLOCK, RATE);
  await context.audioWorklet.addModule('./processor.js');
  const wasm = await fetch('./node_modules/axisnorm/js/wasm/simd128.wasm');
  const module = await WebAssembly.compileStreaming(wasm);
  const node = new AudioWorkletNode(context, 'axisnorm', { processorOptions: { module } });
  const line = await new Promise((resolve, reject) => {
    node.port.onmessage = ({ data }) => resolve(data);
    node.onprocessorerror = ({ message }) => reject(new Error(message));
  });

  const tone = new OscillatorNode(context, { frequency: 1500 }); // 32 frames a period
  const gain = new GainNode(context, { gain: 0.9 });
  gain.gain.linearRampToValueAtTime(0.01, (64 * BLOCK) / RATE);
  tone.connect(gain).connect(node).connect(context.destination);
  tone.start();
  const samples = (await context.startRendering()).getChannelData(0);
  for (let i = 0; i < samples.length; i += BLOCK) {
    const loud = loudness(samples.subarray(i, i + BLOCK));
    if (!(Math.abs(loud - 1) < 1e-3)) throw new Error(`block ${i / BLOCK} has loudness ${loud}`);
  }
  return line;
}

report(render());
