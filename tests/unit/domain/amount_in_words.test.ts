import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInWords } from '../../../src/domain/amount_in_words.ts';

describe('an amount in words', () => {
  it.each([
    ['0', 'Rupees Zero Only'],
    ['1234567.89', 'Rupees Twelve Lakh Thirty Four Thousand Five Hundred Sixty Seven and Paise Eighty Nine Only'],
    ['0.05', 'Rupees Zero and Paise Five Only'],
    ['-100.00', 'Minus Rupees One Hundred Only'],
    ['10000000', 'Rupees One Crore Only'],
    [
      '1012300045678',
      'Rupees One Lakh One Thousand Two Hundred Thirty Crore Forty Five Thousand Six Hundred Seventy Eight Only',
    ],
    ['118000', 'Rupees One Lakh Eighteen Thousand Only'],
    ['28242.41', 'Rupees Twenty Eight Thousand Two Hundred Forty Two and Paise Forty One Only'],
    ['0.50', 'Rupees Zero and Paise Fifty Only'],
    ['99.995', 'Rupees One Hundred Only'],
  ])('of rupees: %s', (amount, words) => {
    expect(amountInWords(amount, 'INR')).toBe(words);
  });

  it('in another currency uses thousands and millions, and hundredths as a fraction', () => {
    expect(amountInWords('1200300.5', 'USD')).toBe(
      'US Dollars One Million Two Hundred Thousand Three Hundred and 50/100 Only',
    );
  });

  /** Reads the words again. */
  function read(words: string): bigint {
    const small = new Map(
      'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'
        .split(' ')
        .map((word, at): [string, bigint] => [word, BigInt(at)]),
    );
    'Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'
      .split(' ')
      .forEach((word, at) => small.set(word, BigInt((at + 2) * 10)));
    const crore = words.lastIndexOf(' Crore');
    if (crore !== -1) return read(words.slice(0, crore)) * 10_000_000n + read(words.slice(crore + 7));
    let total = 0n;
    let group = 0n;
    for (const word of words.split(' ').filter(Boolean)) {
      if (word === 'Hundred') group *= 100n;
      else if (word === 'Thousand' || word === 'Lakh') {
        total += group * (word === 'Lakh' ? 100_000n : 1_000n);
        group = 0n;
      } else group += small.get(word)!;
    }
    return total + group;
  }

  it('states the exact amount, for any number of rupees', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 16n }), (rupees) => {
        const words = amountInWords(String(rupees), 'INR');
        expect(read(words.slice('Rupees '.length, -' Only'.length))).toBe(rupees);
      }),
    );
  });
});
