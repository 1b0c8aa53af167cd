import { limits } from '@slipway/contract/limits'
import fc from 'fast-check'
import { RawText, type Value } from './value.ts'

/** Texts that have broken programs before. */
const knownTexts = [
  '',
  ' ',
  '\0',
  'abc\0def',
  '\ud800',
  'abc\udc00',
  '\ud800@example.com',
  '\u202eexample',
  '\u200b\u200c\u200d\ufeff',
  'e\u0301'.repeat(50),
  'a\u0300'.repeat(5_000),
  '👩‍👩‍👧‍👦',
  'İIıi',
  // A Kelvin sign, which lower-casing turns into a k.
  '\u212aate@example.com',
  'ſupport@example.com',
  'x@example.com.',
  'x@xn--mnchen-3ya.de',
  "'; drop table users; --",
  '" or ""="',
  '%_%',
  '\\',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:9/',
  '//example.com',
  'example\r\nSet-Cookie: a=b',
  'example\r\n\r\n<html>',
  '\x1b[2J\x1b]0;x\x07',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-1',
  '1e999',
  '0x10',
  '9999999999999999999999',
  '2026-02-30T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '4242 4242 4242 4242',
  '0000000000000000',
]

/** Patterns that make a search or a regular expression slow when they are repeated. */
const patterns = [
  '%25',
  '4-4-',
  'a',
  ' ',
  '\n',
  '.',
  '@a.',
  '\u0301',
  '((',
  '<a ',
  '=?',
  'a1 ',
  '%',
]

/** The lengths that the contract limits, and one more. */
const boundaryLengths = [
  limits.textMin,
  limits.passwordMin,
  limits.passwordMax,
  limits.nameMax,
  limits.subjectMax,
  limits.emailMax,
  limits.domainMax,
  36,
  256,
  300,
  512,
  2_048,
  limits.ticketMessageMax,
  30_000,
].flatMap((length) => [length - 1, length, length + 1])

const repeated = fc
  .tuple(fc.constantFrom(...patterns), fc.constantFrom(...boundaryLengths))
  .map(([pattern, length]) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length))

/** Text that no user types. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...knownTexts) },
  { weight: 3, arbitrary: repeated },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
)

/** JSON that is deep or wide, or a number at its limits. */
const hostileJson: fc.Arbitrary<Value> = fc.oneof(
  fc
    .constantFrom(10, 1_000, 20_000)
    .map((depth) => new RawText(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
  fc
    .constantFrom(10, 1_000, 8_000)
    .map((depth) => new RawText(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc
    .constantFrom(100, 5_000)
    .map(
      (width) => new RawText(`{${Array.from({ length: width }, (_, n) => `"f${n}":${n}`).join()}}`),
    ),
  fc.constantFrom(100, 20_000).map((width) => new RawText(`[${'1,'.repeat(width)}1]`)),
  fc
    .constantFrom(
      '1e999',
      '-1e999',
      '-0',
      '1e-400',
      '9007199254740993',
      '2147483648',
      '-2147483649',
      '9223372036854775808',
      '0.30000000000000004',
      '9'.repeat(400),
      // Not JSON.
      'NaN',
      '01',
      "'a'",
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
    )
    .map((text) => new RawText(text)),
)

/** A value that no field expects. */
export const hostileValue: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Value[]>(
      undefined,
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 31,
      Number.MAX_SAFE_INTEGER,
      1e300,
      {},
      [],
      [null],
      { x: '\0' },
      { length: 1e9 },
      ['\ud800'],
      [[]],
    ),
  },
  { weight: 2, arbitrary: hostileJson },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value> },
)

/** A hostile part of a URL; some are not encoded properly. */
export const hostilePart: fc.Arbitrary<Value> = fc.oneof(
  hostileText,
  fc
    .constantFrom(
      '%00',
      'abc%00def',
      '%ED%A0%80',
      '%',
      '%zz',
      '%2e%2e%2f',
      '..',
      '.',
      '%2F',
      '%5C',
      '%F0%9F%9A%80',
      '%25'.repeat(500),
      'a;b=c',
      '*',
      'a&a=b',
      'a[]=b',
      'x'.repeat(10_000),
    )
    .map((text) => new RawText(text)),
)
