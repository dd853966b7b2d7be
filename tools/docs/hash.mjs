// What docs/api was made from, as a number: the comments of js/, without the code between them, and
// what makes pages of them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, root } from '../lib.mjs';

/** Where npm run docs writes. */
export const API = 'docs/api';

/** The first page, which names the others and holds the hash. */
export const INDEX = `${API}/README.md`;

const text = (path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');

/** Changes with every documented type, name and sentence of js/, and with tools/docs. */
export function hashOfComments() {
  const hash = createHash('sha256');
  for (const path of filesIn('js', /\.js$/)) {
    const name = path.replaceAll('\\', '/');
    if (name.startsWith('js/wasm/')) continue;
    const comments = text(path).match(/\/\*\*.*?\*\/|^export \{.*?$/gms) ?? [];
    hash.update(`${name}\n${comments.join('\n')}\n`);
  }
  for (const path of filesIn('tools/docs', /\.(ts|md|mjs|json)$/)) hash.update(text(path));
  return hash.digest('hex').slice(0, 16);
}

/** The hash that the pages hold. */
export const hashInPages = () => text(INDEX).match(/comments ([0-9a-f]{16})/)?.[1];
