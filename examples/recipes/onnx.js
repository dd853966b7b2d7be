import { load } from 'axisnorm';
import { Tensor } from 'onnxruntime-web';

const an = await load();

/** The output of a session, [batch][tokens][features], with each token normalized. */
export async function normalizeOutput(output, { gamma, beta } = {}) {
  const data = await output.getData(); // output.data, or what is fetched from a GPU
  const y = an.layerNorm({ data, dims: output.dims }, { gamma, beta });
  return new Tensor('float32', y, output.dims);
}
