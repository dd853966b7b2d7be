/*
 * npm run bench: measures axisnorm beside memory.copy, a plain loop, plain C and its own scalar
 * build. Everyone's results are checked against float64 first.
 *
 *   npm run bench                            every case, and the ways to get a result
 *   npm run bench -- --peers                 beside onnxruntime-web and TensorFlow.js, too
 *   npm run bench -- --growth                time per element over rows and widths
 *   npm run bench -- --calls                 what a call costs beyond the C function
 *   npm run bench -- --chromium              any of these in Chromium instead of Node
 *   npm run bench -- --filter layerNorm      what has an id that matches, as `layerNorm 128×768`
 *   npm run bench -- --rounds 5              fewer rounds
 *   npm run bench -- --write                 writes the tables to docs/performance.md
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, type } from 'node:os';
import { join } from 'node:path';
import { bin, fail, root } from '../../tools/lib.mjs';
import { installPeers, versions } from '../accuracy/peers/install.js';
import { buildPlain } from './build-plain.js';
import { measureInChromium } from './environments/chromium.js';
import { nodeEngine, nodeEnvironment } from './environments/node.js';
import { measure } from './measure.js';
import { readOptions } from './options.js';
import { withSection } from './report/page.js';
import { readmeTable } from './report/readme.js';
import { sections } from './report/sections.js';

const PAGE = 'docs/performance.md';
const say = (line) => console.log(line);

const words = process.argv.slice(2);

function optionsOrEnd() {
  try {
    return readOptions(words);
  } catch (error) {
    return fail(error.message);
  }
}

async function measureInNode(plan) {
  return { results: await measure(nodeEnvironment(), plan, say), engine: nodeEngine() };
}

/** Those of the libraries that take part. */
const peerVersions = () =>
  versions
    .split(', ')
    .filter((version) => /^(onnxruntime|.*tfjs-(core|backend-wasm) )/.test(version))
    .join(', ');

/** As one would type it. */
const quoted = (word) => (/^[\w-]+$/.test(word) ? word : `'${word}'`);

function runOf(engine, { withPeers, settings: { rounds } }) {
  const processors = cpus();
  return {
    engine,
    command: ['npm run bench', ...(words.length > 0 ? ['--'] : []), ...words.map(quoted)].join(' '),
    machine: `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, ${type()}`,
    date: new Date().toISOString().slice(0, 10),
    rounds,
    peers: withPeers ? peerVersions() : '',
  };
}

function write(parts) {
  const path = join(root, PAGE);
  writeFileSync(path, parts.reduce(withSection, readFileSync(path, 'utf8')));
  bin('biome', 'format', '--write', PAGE);
  say(`\n${PAGE} is written`);
}

const { chromium, write: isWritten, plan } = optionsOrEnd();
buildPlain();
if (plan.withPeers) installPeers();

const { results, engine } = await (chromium ? measureInChromium : measureInNode)(plan, say);

const parts = sections(results, runOf(engine, plan));
for (const { heading, text } of parts) say(`\n## ${heading}\n\n${text}`);
const headlines = readmeTable(results.cases ?? []);
if (headlines) say(`\nFor the README:\n\n${headlines}`);
if (isWritten) write(parts);

const refused = (results.cases ?? []).flatMap(({ refused }) => Object.keys(refused));
process.exit(refused.length > 0 ? 1 : 0);
