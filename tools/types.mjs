// npm run types: writes .d.ts files from the JSDoc of js/ into types/, with maps that
// lead editors to the sources.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, fail, root } from './lib.mjs';

rmSync(join(root, 'types'), { recursive: true, force: true });
if (
  !bin('tsc', '--noEmit', 'false', '--emitDeclarationOnly', '--declarationMap', '--outDir', 'types')
) {
  fail('the types of js/ have errors');
}
