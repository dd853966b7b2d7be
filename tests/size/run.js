/*
 * npm run size: how large everything is that a page transfers.
 *
 *   npm run size                            the sizes, and the goals
 *   npm run size -- --startup               time to the first result in Chromium, beside others
 *   npm run size -- --startup --rounds 5    fewer rounds
 *   npm run size -- --write                 writes the tables of what was measured to docs/size.md
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, fail, root } from '../../tools/lib.mjs';
import { installPeers, versions } from '../accuracy/peers/install.js';
import { measureSizes } from './items.js';
import { sizeBlocks, startupBlock, withBlock } from './page.js';

const PAGE = 'docs/size.md';
const ROUNDS = 15;

const words = process.argv.slice(2);

function optionsOrEnd() {
  const boolean = { type: 'boolean', default: false };
  const options = { startup: boolean, write: boolean, rounds: { type: 'string' } };
  try {
    const { startup, write, rounds = String(ROUNDS) } = parseArgs({ args: words, options }).values;
    if (!/^[1-9]\d*$/.test(rounds)) throw new Error(`--rounds: ${rounds}`);
    if (write && Number(rounds) < ROUNDS) throw new Error(`--write needs ${ROUNDS} rounds`);
    return { startup, write, rounds: Number(rounds) };
  } catch (error) {
    return fail(error.message);
  }
}

/** Those of the libraries that take part. */
const peers = versions
  .split(', ')
  .filter((version) => /^(onnxruntime-web|.*tfjs-(core|backend-wasm)|.*jax) /.test(version))
  .join(', ');

function circumstances(browser, rounds) {
  const processors = cpus();
  const processor = processors[0]?.model.trim() ?? 'unknown processor';
  const machine = `${processor}, ${processors.length} cores, ${type()}`;
  const command = ['npm run size --', ...words].join(' ');
  const date = new Date().toISOString().slice(0, 10);
  const run = `\`${command}\`: ${browser}; ${machine}; ${date}; ${peers}.`;
  return `${run} Medians of ${rounds} visits.`;
}

async function startup(rounds) {
  installPeers();
  const { CONTESTANTS } = await import('./startup/contestants.js');
  const { measureStartup } = await import('./startup/measure.js');
  const { starts, version } = await measureStartup(CONTESTANTS, rounds);
  return startupBlock(starts, circumstances(version, rounds));
}

function write(blocks) {
  const path = join(root, PAGE);
  writeFileSync(path, blocks.reduce(withBlock, readFileSync(path, 'utf8')));
  bin('biome', 'format', '--write', PAGE);
  console.log(`\n${PAGE} is written`);
}

const options = optionsOrEnd();
const blocks = sizeBlocks(await measureSizes());
if (options.startup) blocks.push(await startup(options.rounds));
for (const { text } of blocks) console.log(`\n${text}`);
if (options.write) write(blocks);
