// Where results go: new arrays, `out`, in place, added to; and which are computed.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { allBits, bitsOf, everyCall, giveOut, resultsOf } from './support.js';

let an;
before(async () => {
  an = await load();
});

const backwardCalls = () => everyCall().filter(({ pass }) => pass === 'backward');

/** Makes the memory grow, which detaches every view of it. */
function grow() {
  const { total } = an.memoryUsage();
  an.tensor([total / 4]).dispose();
  assert.ok(an.memoryUsage().total > total, 'the memory did not grow');
}

describe('new results', () => {
  for (const { label, pass, again } of everyCall()) {
    test(`${label}: never alias wasm memory or each other`, () => {
      const view = an.tensor([1]);
      const call = again();
      const result = call.invoke(an);
      const buffers = Object.values(resultsOf(call, result)).map(({ buffer }) => buffer);
      assert.ok(!buffers.includes(view.data.buffer));
      assert.equal(new Set(buffers).size, buffers.length);
      const before = allBits(call, result);
      grow();
      call.invoke(an);
      assert.deepEqual(allBits(call, result), before, 'not readable after growth');
      view.dispose();
    });

    test(`${label}: the arguments stay as they are`, () => {
      const call = again();
      const updated = pass === 'forward' ? ['runningMean', 'runningVar'] : [];
      const inputs = [call.input];
      for (const [option, value] of Object.entries(call.options)) {
        if (value instanceof Float32Array && !updated.includes(option)) inputs.push(value);
      }
      const before = inputs.map(bitsOf);
      call.invoke(an);
      assert.deepEqual(inputs.map(bitsOf), before);
    });
  }
});

describe('out', () => {
  for (const { name, label, operation, pass, outLengths, again } of everyCall()) {
    for (const only of Object.keys(outLengths)) {
      if (pass === 'infer') continue;
      test(`${label}: out.${only} alone`, () => {
        const plain = again();
        const want = allBits(plain, plain.invoke(an));
        const call = again();
        const outs = giveOut(call);
        call.options.out = { [only]: outs[only] };
        const result = call.invoke(an);
        assert.equal(result[only], outs[only]);
        assert.deepEqual(allBits(call, result), want);
      });
    }

    for (const isTensor of [false, true]) {
      const kind = isTensor ? 'tensors' : 'arrays';
      test(`${label}: in place, ${kind}`, () => {
        const plain = again();
        const want = allBits(plain, plain.invoke(an));
        for (const place of pass === 'backward' ? ['first', 'x'] : ['first']) {
          an.scope((s) => {
            const call = again();
            const { shape } = call.options;
            if (isTensor) call.input = s.tensor(shape, call.input);
            if (isTensor && pass === 'backward') call.options.x = s.tensor(shape, call.options.x);
            const memory = place === 'first' ? call.input : call.options.x;
            const main = pass === 'backward' ? 'dx' : 'y';
            call.options.out = pass === 'infer' ? memory : { [main]: memory };
            const result = call.invoke(an);
            assert.equal(pass === 'infer' ? result : result[main], memory);
            assert.deepEqual(allBits(call, result), want, `in ${place}`);
          });
        }
      });
    }

    test(`${label}: an array that overlaps the input in part`, () => {
      const plain = again();
      const want = allBits(plain, plain.invoke(an));
      const main = pass === 'infer' ? 'out' : pass === 'forward' ? 'y' : 'dx';
      for (const shift of [1, 7, 23]) {
        const call = again();
        const memory = new Float32Array(48);
        memory.set(call.input);
        call.input = memory.subarray(0, 24);
        const out = memory.subarray(shift, 24 + shift);
        call.options.out = pass === 'infer' ? out : { [main]: out };
        assert.deepEqual(allBits(call, call.invoke(an)), want, `${shift} further`);
      }
    });

    test(`${label}: a tensor that is another argument as well is refused`, () => {
      an.scope((s) => {
        const call = again();
        const parameter = operation === 'weightStandardize' ? 'gain' : 'gamma';
        const t = s.tensor([call.options[parameter].length], call.options[parameter]);
        const before = bitsOf(t);
        call.options[parameter] = t;
        if (pass === 'backward') {
          call.options.out = { [`d${parameter}`]: t };
        } else {
          // x of as many values as the parameter, so that it could be y
          call.input = new Float32Array(t.length);
          call.options.shape = parameter === 'gain' ? [t.length, 1] : [1, t.length];
          if (name === 'batchNorm.forward') call.options.training = false;
          if ('mask' in call.options) call.options.mask = [0];
          call.options.out = pass === 'infer' ? t : { y: t };
        }
        assert.throws(() => call.invoke(an), {
          name: 'RangeError',
          message: `${name}: expected outputs that overlap no other argument (y may be x, dx may be dy or x), got an overlap`,
        });
        assert.deepEqual(bitsOf(t), before);
      });
    });
  }

  test('new tensors of a call that fails are freed', () => {
    an.scope((s) => {
      const x = s.tensor([2, 2], Float32Array.of(1, 3, 5, 7));
      const gamma = s.tensor([2]);
      const { used } = an.memoryUsage();
      const out = { rstd: gamma };
      assert.throws(() => an.layerNorm.forward(x, { gamma, out }), { name: 'RangeError' });
      assert.equal(an.memoryUsage().used, used);
    });
  });
});

describe('gradients', () => {
  for (const { label, outLengths, again } of backwardCalls()) {
    const gradients = Object.keys(outLengths);
    const subsets = [[], ...gradients.map((one) => [one]), gradients.slice(1), gradients];

    for (const outputs of subsets) {
      test(`${label}: outputs [${outputs}]`, () => {
        const plain = again();
        const all = plain.invoke(an);
        assert.deepEqual(Object.keys(all), gradients);
        const call = again();
        call.options.outputs = outputs;
        const result = call.invoke(an);
        assert.deepEqual(Object.keys(result), outputs);
        for (const one of outputs) assert.deepEqual(bitsOf(result[one]), bitsOf(all[one]), one);
      });
    }

    for (const isTensor of [false, true]) {
      test(`${label}: accumulate, ${isTensor ? 'tensors' : 'arrays'}`, () => {
        const plain = again();
        const want = plain.invoke(an);
        an.scope((s) => {
          const call = again();
          if (isTensor) call.input = s.tensor(call.options.shape, call.input);
          const outs = giveOut(call, (n) => {
            const start = new Float32Array(n).fill(100);
            return isTensor ? s.tensor([n], start) : start;
          });
          call.options.accumulate = true;
          const result = call.invoke(an);
          assert.deepEqual(bitsOf(result.dx), bitsOf(want.dx), 'dx is overwritten');
          for (const one of gradients.slice(1)) {
            assert.equal(result[one], outs[one]);
            const sums = isTensor ? result[one].slice() : result[one];
            const sum = want[one].map((value) => value + 100);
            sums.forEach((value, i) => {
              assert.ok(Math.abs(value - sum[i]) <= 1e-5 * 100, `${one}[${i}] ${value} ${sum[i]}`);
            });
          }
        });
      });
    }

    test(`${label}: accumulate needs out for what outputs lists, and no more`, () => {
      const call = again();
      call.options.accumulate = true;
      call.options.outputs = ['dx'];
      assert.deepEqual(Object.keys(call.invoke(an)), ['dx']);
    });
  }
});

describe('exact', () => {
  for (const { label, again } of everyCall()) {
    test(`${label}: reaches the kernel`, () => {
      // Somewhere in these rows a sum rounds in float32 that does not in float64.
      const results = [false, true].map((exact) => {
        const call = again(257);
        call.options.exact = exact;
        return allBits(call, call.invoke(an));
      });
      assert.notDeepEqual(results[1], results[0]);
    });
  }
});
