/** A plain server of the files of a folder, as any host is. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after } from 'node:test';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/**
 * Serves a folder for the tests of a file.
 *
 * @param {string} folder
 * @param {Record<string, string>} [policies]  first part of a path -> Content Security Policy of the
 *   same folder below it
 * @returns {Promise<string>} its address, which ends with a slash
 */
export async function serveFolder(folder, policies = {}) {
  const server = createServer(async (request, response) => {
    const [, first, ...rest] = normalize(new URL(request.url, 'http://x').pathname).split('/');
    const policy = policies[first];
    if (policy) response.setHeader('content-security-policy', policy);
    const path = join(folder, ...(policy ? [] : [first]), ...rest);
    try {
      const bytes = await readFile(path);
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}
