/**
 * What a number takes of what is typed or pasted: digits, point, and the minus sign where the field goes below zero.
 * Of bills come grouping commas, brackets for a minus, and signs of currency too; letters never.
 */
export function numberKeys(text: string, negative: boolean): string {
  const plain = text.replace(/\b(rs\.?|[a-z]{3}\b)\s*/gi, '').replace(/[^\d.,()+\-%\s\p{Sc}]/gu, '');
  return negative ? plain : plain.replace(/[-()]/g, '');
}

/** What a code takes: letters, digits, dash and underscore, and . / & between them; no spaces. */
export function codeKeys(text: string): string {
  return text.replace(/[^A-Za-z0-9_./&-]/g, '');
}
