/**
 * Serves the project's files to one page. Its headers isolate the page from other origins, without
 * which browsers make the clock coarse.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { root } from '../../../tools/lib.mjs';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';

async function contentOf(path) {
  if (path === '/') return { type: TYPES['.html'], content: PAGE };
  // A normalized absolute path does not lead out of the folder it is joined to.
  const content = await readFile(join(root, normalize(path)));
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', content };
}

async function answer({ url }, response) {
  const { pathname } = new URL(url, 'http://localhost');
  try {
    const { type, content } = await contentOf(decodeURIComponent(pathname));
    response.writeHead(200, { ...ISOLATION, 'Content-Type': type }).end(content);
  } catch {
    response.writeHead(404, ISOLATION).end();
  }
}

/** @returns {Promise<{ address: string, close: () => void }>} */
export async function serve() {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}/`, close };
}
