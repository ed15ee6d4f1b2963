import { expect, it } from 'vitest';
import { passwordStrength } from '../../../../src/client/app/login/password_strength.ts';

it.each([
  ['short', 0],
  ['aaaaaaaaaaaa', 1],
  ['monsoonkettle', 2],
  ['Lift-2025 monsoon', 4],
  ['correct horse battery', 4],
] as const)('%s is %i of 4', (password, score) => expect(passwordStrength(password).score).toBe(score));

it('repetition is not stronger, and a longer password is never weaker', () => {
  expect(passwordStrength('abababababababababab').score).toBe(1);
  for (const word of ['monsoon kettle', 'Lotus7'])
    for (let n = 1; n < 5; n++)
      expect(passwordStrength(`${word}${'x7!Q'.slice(0, n)}`).score).toBeGreaterThanOrEqual(
        passwordStrength(word).score,
      );
});

it('uses the client’s rules', () => {
  expect(passwordStrength('correct horse', { minLength: 16, trim: true })).toEqual({
    score: 0,
    words: 'Too short: at least 16 characters',
  });
  expect(passwordStrength('monsoon  ', { minLength: 8, trim: true }).score).toBe(0);
  expect(passwordStrength('monsoon  ', { minLength: 8, trim: false }).score).toBeGreaterThan(0);
});
