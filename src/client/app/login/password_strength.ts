import type { PasswordRules } from '../brand.ts';

/** The strength of a password in five steps: advice, never a refusal. */
export interface Strength {
  /** 0 (too short) to 4. */
  score: 0 | 1 | 2 | 3 | 4;
  words: string;
}

/** The default requirements. */
const DEFAULT_RULES = { minLength: 10, trim: true };

const WORDS = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** Estimates the search space: mainly by length, then by kinds of characters; repetition counts less. */
export function passwordStrength(
  password: string,
  { minLength, trim }: Pick<PasswordRules, 'minLength' | 'trim'> = DEFAULT_RULES,
): Strength {
  const normal = password.normalize('NFKC');
  const text = trim ? normal.trim() : normal;
  if (Array.from(text).length < minLength) return { score: 0, words: `${WORDS[0]}: at least ${minLength} characters` };
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length;
  const distinct = new Set(text.toLowerCase()).size;
  const effective = Math.min(text.length, distinct * 1.6) + (kinds - 1) * 1.5;
  const score = effective < 10 ? 1 : effective < 14 ? 2 : effective < 18 ? 3 : 4;
  return { score, words: WORDS[score] };
}
