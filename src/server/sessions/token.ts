import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a session token says. `aud` is the tenant's schema; `iat` and `exp` are seconds since 1970. */
export interface Claims {
  iss: 'mainstay';
  aud: string;
  sub: string;
  sid: string;
  iat: number;
  exp: number;
}

/** Keys by id; the first one signs, all of them verify, so that a key can be replaced without signing anybody out. */
export type TokenKeys = { id: string; key: Buffer }[];

const TYPE = 'ms+session';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** JWS compact, HS256 (RFC 7515). */
export function signToken(claims: Claims, keys: TokenKeys): string {
  const [current] = keys;
  if (current === undefined) throw new Error('There is no key to sign tokens with.');
  const input = `${encode({ alg: 'HS256', kid: current.id, typ: TYPE })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', current.key).update(input).digest('base64url')}`;
}

/** The claims of a token that we signed; null when it is anything else. The time of expiry is not looked at. */
export function readToken(token: string, keys: TokenKeys): Claims | null {
  const parts = token.split('.');
  if (parts.length !== 3 || token.length > 1000) return null;
  const [head, body, signature] = parts as [string, string, string];
  const header = decode(head);
  if (header?.alg !== 'HS256' || header.typ !== TYPE) return null;
  const key = keys.find(({ id }) => id === header.kid)?.key;
  if (key === undefined) return null;
  const expected = createHmac('sha256', key).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  // base64url is decoded leniently; only the canonical writing counts, so that a token has one spelling.
  if (
    given.length !== expected.length ||
    !timingSafeEqual(given, expected) ||
    given.toString('base64url') !== signature
  )
    return null;
  const claims = decode(body);
  return claims && isClaims(claims) ? claims : null;
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function isClaims(value: Record<string, unknown>): value is Record<string, unknown> & Claims {
  return (
    value.iss === 'mainstay' &&
    typeof value.aud === 'string' &&
    typeof value.sub === 'string' &&
    typeof value.sid === 'string' &&
    UUID.test(value.sid) &&
    Number.isSafeInteger(value.iat) &&
    Number.isSafeInteger(value.exp)
  );
}

/** Verified tokens are remembered: the signature costs more than everything else of a call's guard. */
export function tokenReader(keys: () => TokenKeys, size = 20_000): (token: string) => Claims | null {
  let seen = new Map<string, Claims>();
  let older = new Map<string, Claims>();
  let signedWith = keys();
  return (token) => {
    if (keys() !== signedWith) {
      signedWith = keys();
      seen = new Map();
      older = new Map();
    }
    const known = seen.get(token) ?? older.get(token);
    const claims = known ?? readToken(token, signedWith);
    if (claims && !seen.has(token)) {
      if (seen.size >= size / 2) {
        older = seen;
        seen = new Map();
      }
      seen.set(token, claims);
    }
    return claims;
  };
}
