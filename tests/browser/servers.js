/** What serves the page to tests: its sources as `npm start` does, or the built page as a host does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, createServer, preview } from 'vite';

const configFile = fileURLToPath(new URL('../../demo/vite.config.js', import.meta.url));

/** A folder that goes when the tests of a file end. */
function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `axisnorm-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the development server for the tests of a file; gives its address. */
export async function serveSources() {
  const server = await createServer({
    configFile,
    cacheDir: temporaryFolder('vite'),
    logLevel: 'warn',
    server: { port: 0, hmr: false },
  });
  after(() => server.close());
  await server.listen();
  return server.resolvedUrls.local[0];
}

/** Builds the page for the tests of a file; gives the folder. */
async function buildPage() {
  const folder = temporaryFolder('page');
  await build({ configFile, logLevel: 'warn', build: { outDir: folder } });
  return folder;
}

/**
 * Serves the built page for the tests of a file, in a folder below the root of its host, as project
 * pages are. Loading it takes half the time of loading the sources. `npm test` builds it once for
 * all files, and says where in BUILT_PAGE.
 *
 * @returns {Promise<{ address: string, folder: string }>}  folder: where the files are
 */
export async function serveBuilt() {
  const folder = process.env.BUILT_PAGE ?? (await buildPage());
  const server = await preview({
    configFile,
    base: '/some/folder/',
    logLevel: 'warn',
    build: { outDir: folder },
    preview: { port: 0 },
  });
  after(() => server.close());
  return { address: server.resolvedUrls.local[0], folder };
}
