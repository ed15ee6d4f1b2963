import { randomBytes } from 'node:crypto';

/** Without easily confused letters. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

function letter(): string {
  for (;;) {
    const [byte = 255] = randomBytes(1);
    // 8 × 31: higher values would make some letters more likely than others.
    if (byte < 248) return LETTERS[byte % 31]!;
  }
}

/** A random secret that a person can read out and type: groups of four letters, almost 20 bits each. */
export function readableSecret(groups: number): string {
  return Array.from({ length: groups }, () => Array.from({ length: 4 }, letter).join('')).join('-');
}
