import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern, patternFault } from '../../../src/domain/linear_pattern.ts';

describe('a client’s pattern', () => {
  it('matches the same texts as the regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '[ab]', '[^b]', '.', '\\d', '(?:a|b)', '(ab|a)', '(a|)', '(?:^a|b$)');
    const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '+?');
    const pattern = fc
      .array(fc.tuple(piece, times), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map((part) => part.join('')).join(''));
    const whole = fc
      .tuple(pattern, pattern, fc.constantFrom('x', '^x', 'x$', '^x$', '^(?:x)+$', 'x|y', '(x)*y'))
      .map(([x, y, shape]) => shape.replace('x', () => x).replace('y', () => y));
    fc.assert(
      fc.property(whole, fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n', '😀'), maxLength: 8 }), (one, text) => {
        expect(linearPattern(one).test(text)).toBe(new RegExp(one, 'u').test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['^[A-Z]{2}[0-9]{4}$', 'AB1234', 'AB123'],
    ['^\\p{Lu}\\S+@[^@\\]]+\\.in$', 'Ésha@acme.in', 'asha@acme.in'],
    ['^\\+91 ?\\d{10}$', '+91 9840012345', '+919840'],
    ['^[\\w.\\-]+/\\u0031\\x32$', 'a.b-c/12', 'a.b-c/13'],
  ])('%s distinguishes %s from %s', (pattern, right, wrong) => {
    expect(linearPattern(pattern).test(right)).toBe(true);
    expect(linearPattern(pattern).test(wrong)).toBe(false);
  });

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^((a*)*)*$',
    '^a*a*a*a*a*a*a*a*a*$',
    `^${'a?'.repeat(60)}${'a'.repeat(60)}$`,
  ])('takes linear time: %s', (pattern) => {
    const made = linearPattern(pattern);
    const from = performance.now();
    expect(made.test(`${'a'.repeat(5_000)}!`)).toBe(false);
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  it.each([
    ['(', 'This is not a regular expression.'],
    ['(?<=a)b', 'Look-around and named groups cannot be used in a pattern.'],
    ['(a)\\1', '"\\1" cannot be used in a pattern.'],
    ['(a{900}){900}', 'This pattern repeats too much. Write a shorter one.'],
  ])('is refused: %s', (pattern, message) => expect(patternFault(pattern)).toBe(message));
});
