/* The peers are no dependency of the project: they are installed here when the table is made. */
import { fail } from '../../../tools/lib.mjs';
import { installPackagesOf, packagesOf } from '../../helpers/on-demand.js';

const folder = new URL('../', import.meta.url);

/** Gets what is missing. */
export function installPeers() {
  if (!installPackagesOf(folder, 'the libraries to compare with')) fail('npm install failed');
}

/** `onnxruntime-web 1.30.0, …` of the libraries, without what only builds their models. */
export const versions = Object.entries(packagesOf(folder))
  .filter(([name]) => name !== 'onnx-proto')
  .map(([name, version]) => `${name} ${version}`)
  .join(', ');
