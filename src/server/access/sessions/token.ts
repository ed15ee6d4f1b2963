import { CompactSign, compactVerify } from 'jose';

/** The claims of a session token. `aud` is the tenant's schema; `iat` and `exp` are seconds since 1970. */
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
const LONGEST = 1000;
/**
 * Three parts in base64url; the last character of a signature has only one valid form, so that a token has one form.
 */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Creates a JWT (HS256). `type` prevents a token from being used for another purpose. */
export function signClaims(type: string, claims: object, keys: TokenKeys): Promise<string> {
  const [current] = keys;
  if (current === undefined) throw new Error('There is no key for signing tokens.');
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', kid: current.id, typ: type })
    .sign(current.key);
}

/** The claims of a token of this type signed by us; null for anything else. Its expiry is not checked. */
export async function readClaims(
  type: string,
  token: string,
  keys: TokenKeys,
): Promise<Record<string, unknown> | null> {
  if (token.length > LONGEST || !SHAPE.test(token)) return null;
  try {
    const keyOf = ({ kid }: { kid?: string }) => keys.find(({ id }) => id === kid)?.key ?? Promise.reject(new Error());
    const { payload, protectedHeader } = await compactVerify(token, keyOf, { algorithms: ['HS256'] });
    return protectedHeader.typ === type
      ? (JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The token of a session. */
export function signToken(claims: Claims, keys: TokenKeys): Promise<string> {
  return signClaims(TYPE, claims, keys);
}

/** The claims of a session token signed by us; null for anything else. */
export async function readToken(token: string, keys: TokenKeys): Promise<Claims | null> {
  const claims = await readClaims(TYPE, token, keys);
  return claims && isClaims(claims) ? claims : null;
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

/** Verified tokens are cached: the signature costs more than the rest of a call's guard. */
export function tokenReader(keys: () => TokenKeys, size = 20_000): (token: string) => Promise<Claims | null> {
  let seen = new Map<string, Claims>();
  let older = new Map<string, Claims>();
  let signedWith = keys();
  return async (token) => {
    if (keys() !== signedWith) {
      signedWith = keys();
      seen = new Map();
      older = new Map();
    }
    const known = seen.get(token) ?? older.get(token);
    const current = signedWith;
    const claims = known ?? (await readToken(token, current));
    if (claims && current === signedWith && !seen.has(token)) {
      if (seen.size >= size / 2) {
        older = seen;
        seen = new Map();
      }
      seen.set(token, claims);
    }
    return claims;
  };
}
