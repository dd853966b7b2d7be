// Our own inflate, which engines without one use, beside that of node:zlib.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from '../../js/inflate.js';
import * as scalar from '../../js/wasm/scalar.js';
import * as simd128 from '../../js/wasm/simd128.js';
import * as trainScalar from '../../js/wasm/train/scalar.js';
import * as trainSimd128 from '../../js/wasm/train/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';
import { property } from '../properties/property.js';

const CORRUPT = {
  name: 'RangeError',
  message: 'inflate: expected deflated data of the given size, got cut or corrupt data',
};

/** Bytes of bits in the order of the stream: the lowest bit of a byte is the first. */
function bytesOfBits(bits) {
  const bytes = bits.match(/.{1,8}/g);
  return Uint8Array.from(bytes, (byte) => Number.parseInt([...byte].reverse().join(''), 2));
}

const sameBytes = (a, b) => Buffer.compare(a, b) === 0;

function assertInflates(deflated, bytes) {
  assert.ok(sameBytes(inflate(deflated, bytes.length), bytes));
}

describe('the modules of the package', () => {
  for (const [name, file] of Object.entries({ scalar, simd128, trainScalar, trainSimd128 })) {
    const deflated = Buffer.from(file.default, 'base64');

    test(`${name}: what zlib inflates it to, and as long as the file says`, () => {
      const bytes = bytesOf(file);
      assert.equal(file.size, bytes.length);
      assertInflates(deflated, bytes);
    });

    test(`${name}: cut anywhere, and one byte too long, it is refused`, () => {
      for (let length = 0; length < deflated.length; length += 997) {
        assert.throws(() => inflate(deflated.subarray(0, length), file.size), CORRUPT);
      }
      assert.throws(() => inflate(deflated.subarray(0, -1), file.size), CORRUPT);
      assert.throws(() => inflate(Buffer.concat([deflated, Buffer.of(0)]), file.size), CORRUPT);
    });

    test(`${name}: of another size it is refused`, () => {
      for (const size of [0, file.size - 1, file.size + 1]) {
        assert.throws(() => inflate(deflated, size), CORRUPT);
      }
    });
  }
});

/** Bytes without pattern, bytes of few kinds, and runs that make long and far matches. */
const random = fc.uint8Array({ maxLength: 3000 });
const few = fc.array(fc.constantFrom(0, 0, 0, 1, 65, 255), { maxLength: 3000 });
const runs = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(1000)), { maxLength: 12 })
  .map((parts) => parts.flatMap(([bytes, times]) => new Array(times).fill([...bytes]).flat()));
const far = fc
  .tuple(fc.uint8Array({ minLength: 300, maxLength: 300 }), fc.nat(33000))
  .map(([bytes, between]) => [...bytes, ...new Uint8Array(between), ...bytes]);
const contents = fc.oneof(random, few, runs, far).map((bytes) => Uint8Array.from(bytes));

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED } = constants;
const settings = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED),
  memLevel: fc.integer({ min: 1, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
});

/** Parts that were deflated in different ways, one behind the other in one stream. */
const streams = fc
  .array(fc.tuple(contents, settings), { minLength: 1, maxLength: 3 })
  .map((parts) => ({
    bytes: Buffer.concat(parts.map(([bytes]) => bytes)),
    deflated: Buffer.concat(
      parts.map(([bytes, options], i) => {
        const finishFlush = i + 1 < parts.length ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
        return deflateRawSync(bytes, { ...options, finishFlush });
      }),
    ),
  }));

describe('what zlib deflates', () => {
  property('at any level, by any strategy', 500, streams, ({ bytes, deflated }) =>
    assertInflates(deflated, bytes),
  );

  const text = Buffer.from('the quick brown fox jumps over the lazy dog, '.repeat(40));
  const kinds = [
    ['stored', 0, { level: 0 }],
    ['fixed', 1, { strategy: Z_FIXED }],
    ['dynamic', 2, { level: 9 }],
  ];
  for (const [name, kind, options] of kinds) {
    test(`a ${name} block`, () => {
      const letters = Uint8Array.from(text, (letter, i) => letter ^ (i % 7));
      const deflated = deflateRawSync(letters, options);
      assert.equal((deflated[0] >> 1) & 3, kind);
      assertInflates(deflated, letters);
    });
  }

  test('nothing', () => {
    for (const level of [0, 9]) assertInflates(deflateRawSync('', { level }), Buffer.of());
  });

  test('several stored blocks, the longest among them', () => {
    const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) >> 3);
    assertInflates(deflateRawSync(bytes, { level: 0 }), bytes);
  });

  test('the longest matches from the nearest and the farthest place', () => {
    const zeros = new Uint8Array(100_000);
    assertInflates(deflateRawSync(zeros, { level: 9 }), zeros);
    // zlib itself looks no farther back than 32768 - 262.
    const unlike = Uint8Array.from(
      { length: 32_768 - 262 },
      (_, i) => Math.imul(i, 0x9e3779b1) >> 13,
    );
    const twice = Buffer.concat([unlike, unlike]);
    const deflated = deflateRawSync(twice, { level: 9, memLevel: 9 });
    assert.ok(deflated.length < 1.1 * unlike.length, `${deflated.length} bytes`);
    assertInflates(deflated, twice);
  });

  test('a match that reaches back 32768 bytes', () => {
    const stored = Uint8Array.from({ length: 32_768 }, (_, i) => Math.imul(i, 0x9e3779b1) >> 13);
    const block = Buffer.concat([Buffer.of(0, 0, 128, 255, 127), stored]);
    // The last block, of fixed codes: length 258, distance code 29 with all its bits, the end.
    const match = bytesOfBits(['1', '10', '11000101', '11101', '1'.repeat(13), '0000000'].join(''));
    assertInflates(Buffer.concat([block, match]), Buffer.concat([stored, stored.subarray(0, 258)]));
  });
});

/** What zlib makes of it, or null where it fails, leaves bytes over or gives another number. */
function byZlib(deflated, size) {
  try {
    const options = { info: true, maxOutputLength: Math.max(size, 1) };
    const { buffer, engine } = inflateRawSync(deflated, options);
    return engine.bytesWritten === deflated.length && buffer.length === size ? buffer : null;
  } catch {
    return null;
  }
}

let refused = 0;
let accepted = 0;
function assertAsZlib(deflated, size) {
  const expected = byZlib(deflated, size);
  if (expected === null) {
    refused += 1;
    assert.throws(() => inflate(deflated, size), CORRUPT);
  } else {
    accepted += 1;
    assertInflates(deflated, expected);
  }
}

/** A number as deflate stores it, the lowest bit first. */
const number = (value, bits) => [...value.toString(2).padStart(bits, '0')].reverse();

/** A last block with codes of its own; its words for lengths are 4 bits, and 5 from 13 on. */
function dynamic({ literals = 257, distances = 1, lengths, body }) {
  const ofWords = [...'4444444444444'].map(Number).concat(5, 5, 5, 5, 5, 5);
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  return [
    ...['1', '01', number(literals - 257, 5), number(distances - 1, 5), number(19 - 4, 4)],
    ...order.map((symbol) => number(ofWords[symbol], 3)),
    ...[lengths, body],
  ];
}
const word = (value) =>
  value < 13 ? value.toString(2).padStart(4, '0') : (value + 13).toString(2).padStart(5, '0');
const zeros = (count) => {
  if (count < 11) return new Array(count).fill(word(0));
  return [word(18), number(Math.min(count, 138) - 11, 7), zeros(Math.max(count - 138, 0))];
};
/** Lengths of words for A and B, for the end, and for what comes behind it. */
const lengthsOf = (a, b, end, ...more) =>
  [zeros(65), word(a), word(b), zeros(256 - 67), word(end), more.map(word)].flat();
const fixed = (...bits) => ['1', '10', bits];
const A = '01110001';

const HAND_MADE = [
  ['a code of two words', dynamic({ lengths: lengthsOf(1, 0, 1, 0), body: '01' }), 'A'],
  ['no word for the end', dynamic({ lengths: lengthsOf(1, 1, 0, 0), body: '0101' }), null],
  ['only the end', dynamic({ lengths: lengthsOf(0, 0, 1, 0), body: '0' }), ''],
  ['a word that is none', dynamic({ lengths: lengthsOf(0, 0, 1, 0), body: '1'.repeat(30) }), null],
  [
    'too many words',
    dynamic({ literals: 258, lengths: lengthsOf(1, 0, 1, 1, 0), body: '01' }),
    null,
  ],
  ['too few words', dynamic({ lengths: lengthsOf(2, 0, 2, 0), body: '0001' }), null],
  [
    'one distance',
    dynamic({ literals: 258, lengths: lengthsOf(2, 2, 2, 2, 1), body: ['00', '11', '0', '10'] }),
    'AAAA',
  ],
  [
    'no distance where one is needed',
    dynamic({ literals: 258, lengths: lengthsOf(2, 2, 2, 2, 0), body: ['00', '11', '0', '10'] }),
    null,
  ],
  [
    '286 literals',
    dynamic({ literals: 286, lengths: [lengthsOf(1, 0, 1), zeros(30)], body: '01' }),
    'A',
  ],
  [
    '287 literals',
    dynamic({ literals: 287, lengths: [lengthsOf(1, 0, 1), zeros(31)], body: '01' }),
    null,
  ],
  [
    '30 distances',
    dynamic({ distances: 30, lengths: [lengthsOf(1, 0, 1), zeros(30)], body: '01' }),
    'A',
  ],
  [
    '31 distances',
    dynamic({ distances: 31, lengths: [lengthsOf(1, 0, 1), zeros(31)], body: '01' }),
    null,
  ],
  [
    'more lengths than announced',
    dynamic({ lengths: lengthsOf(1, 0, 1, 0).slice(0, -1).concat(zeros(11)), body: '01' }),
    null,
  ],
  [
    'a repeat of nothing',
    dynamic({
      lengths: [word(16), '00', zeros(62), word(1), zeros(190), word(1), word(0)],
      body: '01',
    }),
    null,
  ],
  ['a literal', fixed(A, '0000000'), 'A'],
  ['a match of A', fixed(A, '0000001', '00000', '0000000'), 'AAAA'],
  ['a match from before the start', fixed(A, '0000001', '00001', '0000000'), null],
  ['a match of length 286', fixed(A, '11000110', '00000', '0000000'), null],
  ['a match of distance 30', fixed(A, '0000001', '11110', '0000000'), null],
  ['a block of kind 3', ['1', '11', '0000000000000'], null],
];

describe('what is corrupt', () => {
  const small = fc
    .tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        few,
        fc.constant(bytesOf(scalar).subarray(0, 400)),
      ),
      settings,
    )
    .map(([bytes, options]) => ({
      size: bytes.length,
      deflated: deflateRawSync(Uint8Array.from(bytes), options),
    }));
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 3,
  });
  const damaged = fc.tuple(small, damage).map(([{ size, deflated }, places]) => {
    const bytes = Uint8Array.from(deflated);
    for (const [place, bits] of places) bytes[place % bytes.length] ^= bits;
    return { size, deflated: bytes };
  });

  property('with some bits changed: refused where zlib refuses it', 3000, damaged, (one) =>
    assertAsZlib(one.deflated, one.size),
  );

  const cut = fc.tuple(small, fc.nat()).map(([{ size, deflated }, length]) => ({
    size,
    deflated: deflated.subarray(0, length % deflated.length),
  }));
  property('cut short: refused', 1000, cut, ({ size, deflated }) => {
    assert.throws(() => inflate(deflated, size), CORRUPT);
  });

  const noise = fc.tuple(
    fc.uint8Array({ minLength: 1, maxLength: 200 }),
    fc.constantFrom(0b001, 0b011, 0b101, 0b111),
    fc.nat(300),
  );
  property('noise: refused where zlib refuses it', 3000, noise, ([bytes, head, size]) => {
    bytes[0] = (bytes[0] & ~7) | head;
    assertAsZlib(bytes, byteCount(bytes) ?? size);
  });
  const byteCount = (bytes) => {
    try {
      return inflateRawSync(bytes).length;
    } catch {
      return undefined;
    }
  };

  test('both kinds were among these', () => {
    assert.ok(refused > 1000 && accepted > 50, `${refused} refused, ${accepted} accepted`);
  });

  for (const [name, bits, text] of HAND_MADE) {
    test(`${name}: ${text === null ? 'refused' : 'accepted'}, as by zlib`, () => {
      const deflated = bytesOfBits(bits.flat(9).join(''));
      for (const size of text === null ? [0, 1, 4] : [text.length]) {
        assert.equal(byZlib(deflated, size)?.toString() ?? null, text);
        if (text === null) assert.throws(() => inflate(deflated, size), CORRUPT);
        else assertInflates(deflated, Buffer.from(text));
      }
    });
  }

  test('data that would inflate to a thousand times their size stop at the size given', () => {
    const bomb = deflateRawSync(new Uint8Array(2 ** 26), { level: 9 });
    const { arrayBuffers } = process.memoryUsage();
    assert.throws(() => inflate(bomb, 1000), CORRUPT);
    assert.ok(process.memoryUsage().arrayBuffers - arrayBuffers < 2 ** 20);
  });
});
