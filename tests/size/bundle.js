/** Bundles as the build tool of a page makes them: minified ES modules, in memory. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Where texts are taken to be, inside the project, so that `axisnorm` means its own exports. */
const VIRTUAL = fileURLToPath(new URL('virtual-entry.js', import.meta.url));

const textAsEntry = (text) => ({
  name: 'text-as-entry',
  resolveId: (id) => (id === VIRTUAL ? id : undefined),
  load: (id) => (id === VIRTUAL ? text : undefined),
});

/** @param {string | Uint8Array} content */
export const gzipped = (content) => gzipSync(content, { level: 9 });

/**
 * The files of a bundle, that of the entry first.
 *
 * @param {import('rolldown').InputOptions} options
 * @returns {Promise<{ name: string, fileName: string, code: string }[]>}
 */
export async function bundleFiles(options) {
  const bundle = await rolldown({ platform: 'browser', logLevel: 'warn', ...options });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    return output.sort((a, b) => Number(b.isEntry) - Number(a.isEntry));
  } finally {
    await bundle.close();
  }
}

/** Those of a module with this text. */
export const bundleText = (text) => bundleFiles({ input: VIRTUAL, plugins: [textAsEntry(text)] });
