import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token of unsafe calls in X-CSRF-Token for cookie sessions; bound to the session. */
export function csrfToken(sid: string, key: Buffer): string {
  return createHmac('sha256', key).update(`csrf:${sid}`).digest('base64url');
}

/** Compares in constant time. */
export function isCsrfToken(given: string, sid: string, key: Buffer): boolean {
  const expected = Buffer.from(csrfToken(sid, key));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
