// npm run types: writes .d.ts files from the JSDoc of js/ into types/, with maps that
// lead editors to the sources.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, fail, filesIn, root } from './lib.mjs';

rmSync(join(root, 'types'), { recursive: true, force: true });
if (
  !bin('tsc', '--noEmit', 'false', '--emitDeclarationOnly', '--declarationMap', '--outDir', 'types')
) {
  fail('the types of js/ have errors');
}

// TypeScript before 5.7 knows no typed array with the type of its buffer.
const BUFFER = /\b(\w+Array)<ArrayBuffer(?:Like)?>/g;
for (const name of filesIn('types', /\.d\.ts$/)) {
  const path = join(root, name);
  writeFileSync(path, readFileSync(path, 'utf8').replace(BUFFER, '$1'));
}
