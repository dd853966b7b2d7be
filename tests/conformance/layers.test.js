// The cases that have state, through the layers that keep it, on both builds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { toMomentum } from '../../js/layers/index.js';
import { cases, expectClose } from './cases.js';
import { computeWithLayers, conventionOf, hasState, passesOf } from './classes.js';

const stateful = cases.filter(hasState);

for (const build of ['scalar', 'simd128']) {
  describe(`conformance of layers, ${build}`, async () => {
    const an = await load({ build });
    const ran = [];

    for (const one of stateful) {
      test(one.id, () => {
        const { used } = an.memoryUsage();
        const got = computeWithLayers(an, one);
        // mean, var and rstd of the batch are not for layers to give
        const outputs = Object.keys(one.expected).filter((name) => name in got);
        assert.ok(outputs.length > 0);
        for (const name of outputs) expectClose(one, name, got[name]);
        assert.equal(an.memoryUsage().used, used);
        ran.push(one);
      });
    }

    test('how many ran', () => {
      const count = (has) => ran.filter(has).length;
      const by = {
        sequences: count(({ kind }) => kind === 'sequence'),
        trajectories: count(({ kind }) => kind === 'trajectory'),
        'that update running statistics': count(({ attrs }) => attrs.momentum !== undefined),
        'with given statistics': count(({ attrs }) => attrs.mode === 'inference'),
        'as Keras': count((one) => conventionOf(one) === 'keras'),
        'as ONNX': count((one) => conventionOf(one) === 'onnx'),
      };
      const list = Object.entries(by).map(([what, n]) => `${n} ${what}`);
      console.log(`${build}: ${ran.length} cases through layers, of them ${list.join(', ')}`);
      assert.equal(ran.length, 74);
      assert.deepEqual(Object.values(by), [7, 5, 18, 37, 21, 11]);
    });
  });
}

describe('the momentum of the source', () => {
  for (const one of cases.filter(({ attrs }) => typeof attrs.sourceMomentum === 'number')) {
    test(`${one.id}: is the one of the case`, () => {
      const { momentum, sourceMomentum } = one.attrs;
      const kept = 1 - toMomentum(sourceMomentum, conventionOf(one));
      const passes = passesOf({ momentum, sourceMomentum }, conventionOf(one));
      assert.ok(Math.abs(kept ** passes - (1 - momentum)) < 1e-12);
    });
  }
});
