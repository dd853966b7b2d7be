/*
 * A trained network that recognizes text, with its norms computed by ONNX Runtime and by us. The
 * first run installs the network (npm install in this folder).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { installNetwork, versions } from './install.js';
import { TEXT } from './line.js';
import { PAGE, page } from './page.js';
import { countOf, misses, missText, PROMISED, summary } from './report.js';

/** Of the largest logit: some float32 roundings. What decides between characters is far more. */
const LOGITS_TOLERANCE = 1e-5;

describe('the recognizer of PP-OCRv4', () => {
  let findings;
  before(async () => {
    installNetwork();
    const { evaluate } = await import('./evaluate.js');
    findings = await evaluate();
    console.log(summary(findings));
  });

  test('every norm of the network is found', () => {
    const { batchNorm, reduceMean } = findings.counts;
    assert.deepEqual(batchNorm, { all: 6, inNorms: 6 });
    assert.deepEqual(reduceMean, { all: 10, inNorms: 10 });
    assert.equal(countOf(findings, 'BatchNorm'), 6);
    assert.equal(countOf(findings, 'LayerNorm'), 5);
  });

  test('ONNX Runtime alone reads the line', () => {
    assert.equal(findings.texts.written, TEXT);
    assert.equal(findings.texts.optimized, TEXT);
  });

  for (const measure of PROMISED) {
    test(`no norm of ours is farther from float64 than ONNX Runtime's: ${measure}`, () => {
      assert.deepEqual(
        misses(findings, measure).map((row) => missText(row, measure)),
        [],
      );
    });
  }

  test('cutting the network at its norms changes no bit', () => {
    assert.equal(findings.texts.cut, TEXT);
    assert.equal(findings.logits.cut, 0);
  });

  test('without its norms the network does not read the line', () => {
    assert.notEqual(findings.texts.without, TEXT);
  });

  test('with our norms it reads the same', () => {
    assert.equal(findings.texts.ours, TEXT);
    const { ours, largest } = findings.logits;
    assert.ok(ours <= LOGITS_TOLERANCE * largest, `logits up to ${largest} differ by ${ours}`);
  });

  test('docs/ocr.md says what was measured (npm run ocr writes it)', () => {
    assert.equal(readFileSync(PAGE, 'utf8'), page(findings, versions));
  });
});
