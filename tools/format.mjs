// npm run format: formats C (clang-format) and JavaScript (Biome, with its safe lint fixes).
// With --check it only looks; `js` or `c` limits it to one of them.
import { bin, filesIn, run } from './lib.mjs';

const words = process.argv.slice(2);
const check = words.includes('--check');
const wants = (language) => words.includes(language) || !words.some((w) => w === 'js' || w === 'c');

const formatC = () =>
  run('clang-format', [
    ...(check ? ['--dry-run', '-Werror'] : ['-i']),
    ...['src', 'include', 'tests/native', 'tests/fuzz', 'tests/bench'].flatMap((folder) =>
      filesIn(folder, /\.[ch]$/),
    ),
  ]);
const formatJs = () => bin('biome', 'check', '--error-on-warnings', ...(check ? [] : ['--write']));

const jobs = [wants('c') && formatC, wants('js') && formatJs].filter(Boolean);
process.exitCode = jobs.map((job) => job()).every(Boolean) ? 0 : 1;
