/** The page of each contestant, in memory and gzipped, and a server that counts what it sends. */
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFiles, gzipped } from '../bundle.js';
import { PEERS } from './contestants.js';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
const typeOf = (path) => TYPES[extname(path)] ?? 'application/octet-stream';

const htmlOf = (script) => `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="module" src="${script}"></script>
`;

/**
 * @param {import('./contestants.js').Contestant} contestant
 * @returns {Promise<[string, Uint8Array][]>} by paths
 */
async function pageOf({ id, files: others = () => ({}) }) {
  const files = await bundleFiles({
    input: fileURLToPath(new URL(`pages/${id}.js`, import.meta.url)),
    resolve: { modules: ['node_modules', fileURLToPath(PEERS)] },
    external: /^(node:.*|module|worker_threads|perf_hooks)$/, // in branches for Node
    logLevel: 'silent', // about the libraries' code
  });
  const contents = {
    'index.html': htmlOf(files[0].fileName),
    ...Object.fromEntries(files.map(({ fileName, code }) => [fileName, code])),
    ...(await others()),
  };
  return Object.entries(contents).map(([name, content]) => [`/${id}/${name}`, gzipped(content)]);
}

/** @param {import('./contestants.js').Contestant[]} contestants */
export async function serve(contestants) {
  const files = new Map((await Promise.all(contestants.map(pageOf))).flat());
  let sent = 0;

  const server = createServer(({ url }, response) => {
    const content = files.get(url);
    if (content === undefined) return response.writeHead(404).end();
    // Pages are alike; what differs is what they fetch.
    if (extname(url) !== '.html') sent += content.length;
    const headers = { 'Content-Type': typeOf(url), 'Content-Encoding': 'gzip' };
    return response.writeHead(200, { ...headers, 'Content-Length': content.length }).end(content);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

  return {
    address: ({ id }) => `http://127.0.0.1:${server.address().port}/${id}/index.html`,
    /** Bytes that were sent since the last call. */
    takeSent() {
      const bytes = sent;
      sent = 0;
      return bytes;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
