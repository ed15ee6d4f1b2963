/**
 * The characters that a number accepts when typed or pasted: digits, point, and the minus sign if negative values are
 * allowed. In pasted amounts also group separators, brackets for a minus, and currency symbols; never letters.
 */
export function numberKeys(text: string, negative: boolean): string {
  const plain = text.replace(/\b(rs\.?|[a-z]{3}\b)\s*/gi, '').replace(/[^\d.,()+\-%\s\p{Sc}]/gu, '');
  return negative ? plain : plain.replace(/[-()]/g, '');
}

/** The characters that a code accepts: letters, digits, dash and underscore, and . / & between them; no spaces. */
export function codeKeys(text: string): string {
  return text.replace(/[^A-Za-z0-9_./&-]/g, '');
}
