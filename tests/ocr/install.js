/* The network and what runs it are no dependency of the project: they are installed to read. */
import { installPackagesOf, packagesOf } from '../helpers/on-demand.js';

const folder = new URL('./', import.meta.url);

export function installNetwork() {
  if (!installPackagesOf(folder, 'the network that reads, 50 MB')) {
    throw new Error('npm install failed in tests/ocr');
  }
}

export const versions = packagesOf(folder);
