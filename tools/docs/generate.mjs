// node tools/docs/generate.mjs: writes docs/api; tools/docs.mjs gets what it needs first.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib.mjs';
import { API, hashOfComments, INDEX } from './hash.mjs';
import { pages } from './pages.mjs';

const { texts, lists } = pages();
const folder = join(root, API);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(join(folder, name));
for (const [name, text] of texts) writeFileSync(join(folder, name), text);
writeFileSync(
  join(root, INDEX),
  `# API reference

Made by \`npm run docs\` from the comments of \`js/\`, not by hand. [The tables of the README](../../README.md#the-api-at-a-glance)
are shorter; [recipes](../recipes.md) and [what can be passed](../interop.md) are pages of their own.

Where a default is –, there is none; without \`out\` results are new.

${lists.join('\n\n')}

<!-- comments ${hashOfComments()} -->
`,
);
