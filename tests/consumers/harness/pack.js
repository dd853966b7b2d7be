/** The package as npm would publish it, packed once for all tests of a run. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Packs the package, unless the process that started this one has and says so in PACKED.
 *
 * @returns {Promise<string>} the tarball, which goes when the process that packed it ends
 */
export async function packed() {
  if (process.env.PACKED === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'axisnorm-packed-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await run(root, 'npm', 'pack', '--silent', '--pack-destination', folder);
    process.env.PACKED = join(folder, readdirSync(folder)[0]);
  }
  return process.env.PACKED;
}
