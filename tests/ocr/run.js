/*
 * npm run ocr: reads the picture, prints what was measured, and writes docs/ocr.md, unless a norm
 * of ours is farther from float64 than ONNX Runtime's.
 */
import { writeFileSync } from 'node:fs';
import { fail } from '../../tools/lib.mjs';
import { installNetwork, versions } from './install.js';
import { PAGE, page } from './page.js';
import { misses, missText, normsTable, PROMISED, summary } from './report.js';

installNetwork();

/** Imported only now that the packages are there. */
const { evaluate } = await import('./evaluate.js');
const findings = await evaluate();
console.log(`${summary(findings)}\n\n${normsTable(findings)}`);

const missed = PROMISED.flatMap((measure) =>
  misses(findings, measure).map((row) => `${measure}, ${missText(row, measure)}`),
);
if (missed.length > 0) fail(`misses:\n  ${missed.join('\n  ')}`);
writeFileSync(PAGE, page(findings, versions));
