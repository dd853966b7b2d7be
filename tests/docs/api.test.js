// docs/api is what js/ says today, and every link of the documentation leads somewhere.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as axisnorm from '../../js/index.js';
import * as layers from '../../js/layers/index.js';
import * as slim from '../../js/slim.js';
import * as train from '../../js/train/index.js';
import { API, hashInPages, hashOfComments, INDEX } from '../../tools/docs/hash.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');

const ENTRIES = {
  'axisnorm.md': { file: 'js/index.js', values: axisnorm },
  'layers.md': { file: 'js/layers/index.js', values: layers },
  'slim.md': { file: 'js/slim.js', values: slim },
  'train.md': { file: 'js/train/index.js', values: train },
};
const AGAIN = 'docs/api is older than the comments of js/: npm run docs';

/** As GitHub makes anchors of headings. */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
const withoutCode = (text) => text.replace(/^```.*?^```$/gms, '');
const headingsOf = (text) =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
const anchorsOf = (text) => [...text.matchAll(/<a id="(.*?)">/g)].map(([, anchor]) => anchor);

test('docs/api was made from the comments that js/ has', () => {
  assert.equal(hashInPages(), hashOfComments(), AGAIN);
});

for (const [page, { file, values }] of Object.entries(ENTRIES)) {
  describe(page, () => {
    const text = read(`${API}/${page}`);
    const types = [...read(file).matchAll(/@typedef \{import\(.*?\} (\w+) \*\//g)];

    test('every exported name has its section, or is named as that of another page', () => {
      const [overview] = text.split('\n<a id=');
      for (const name of [...Object.keys(values), ...types.map(([, name]) => name)]) {
        const isThere =
          new RegExp(`^## ${name}(\\(\\))?$`, 'm').test(text) || overview.includes(`\`${name}\``);
        assert.ok(isThere, `${name}: ${AGAIN}`);
      }
    });

    test('no anchor is there twice', () => {
      const anchors = anchorsOf(text);
      assert.deepEqual(
        anchors.filter((one, i) => anchors.indexOf(one) !== i),
        [],
      );
    });

    test('no internals, dates, lines or paths of a machine', () => {
      const stranger = /@internal|#private|\/work\/|node_modules|20\d\d-\d\d-\d\d|#L\d|import\(/;
      assert.doesNotMatch(text, stranger);
      assert.doesNotMatch(text, /\| `any` \||`(Heap|Runtime|Block|Call)`/);
    });
  });
}

describe('the norms', () => {
  const sections = read(`${API}/axisnorm.md`).split(/^(?=## )/m);
  const sectionOf = (title) => sections.find((text) => text.startsWith(`## ${title}()\n`));
  const files = readdirSync(join(root, 'js/ops'));
  const norms = files.map((name) =>
    name.replace('.js', '').replace(/_(\w)/g, (_, c) => c.toUpperCase()),
  );

  test('all are there', () => {
    assert.equal(norms.length, 6);
    for (const norm of norms) {
      for (const call of ['', '.forward', '.backward']) {
        assert.ok(sectionOf(`an.${norm}${call}`), `an.${norm}${call}`);
      }
    }
  });

  for (const [i, norm] of norms.entries()) {
    test(`${norm}: every option is described, with its default where it has one`, () => {
      const source = read(`js/ops/${files[i]}`);
      const described = [...source.matchAll(/@property \{.*?\} \[?(\w+)\]?(?= {2}|$)/gm)];
      const texts = ['', '.forward', '.backward'].map((call) => sectionOf(`an.${norm}${call}`));
      const all = read(`${API}/axisnorm.md`);
      for (const [, name] of described) assert.match(all, new RegExp(`\`${name}\\??\` \\| `), name);
      for (const text of texts) {
        const [, options] = text.split('| option | type | meaning |');
        const rows = [...options.matchAll(/^\| `(\w+)\??` \| .* \| (.*) \|$/gm)];
        assert.ok(rows.length > 4, text);
        for (const [row, name, meaning] of rows) {
          assert.ok(meaning.length > 5, row);
          if (['eps', 'exact', 'accumulate', 'p', 'gammaOffset', 'momentum'].includes(name)) {
            assert.match(meaning, /\bdefault [\w.-]+/i, row);
          }
        }
      }
    });
  }
});

describe('links', () => {
  const pages = [
    'README.md',
    INDEX,
    ...Object.keys(ENTRIES).map((name) => `${API}/${name}`),
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  for (const page of pages) {
    test(`of ${page} lead somewhere`, () => {
      const links = [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
      for (const [, link] of links) {
        const [path, anchor] = link.split('#');
        const target = path === '' ? page : join(page, '..', path);
        assert.ok(existsSync(join(root, target)), `${page}: ${link}`);
        if (anchor !== undefined) {
          const text = read(target);
          assert.ok([...headingsOf(text), ...anchorsOf(text)].includes(anchor), `${page}: ${link}`);
        }
      }
    });
  }
});
