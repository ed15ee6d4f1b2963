import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { TokenKeys } from './token.ts';

/** Keys of the installation, created once and stored in the platform's table `secret`. */
export interface Secrets {
  /** Session tokens; the first signs, the others still verify. */
  token: TokenKeys;
  /** File links. */
  files: Buffer;
  /** Addresses of descriptors and validators. */
  screens: Buffer;
  csrf: Buffer;
  /** Key for hashes of identifiers in the sign-in log. */
  identifiers: Buffer;
  /** Key for stored authenticator keys and encrypted fields. */
  factors: Buffer;
  /** Links of public pages. */
  publicLinks: Buffer;
}

const NAMES = ['jwt.k1', 'files', 'screens', 'csrf', 'identifiers', 'factors', 'public_links'];

/** Reads the keys and creates the missing ones. To replace the token key add `jwt.k2` and restart. */
export async function readSecrets(main: Database): Promise<Secrets> {
  await main.query(
    'insert into public.secret (name, value) select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing',
    [NAMES, NAMES.map(() => randomBytes(32).toString('base64'))],
  );
  const rows = await main.query<{ name: string; value: string }>('select name, value from public.secret');
  const values = new Map(rows.map(({ name, value }) => [name, Buffer.from(value, 'base64')]));
  const value = (name: string): Buffer => {
    const found = values.get(name);
    if (found === undefined || found.length < 32)
      throw new Error(`public.secret "${name}" is missing or shorter than 32 bytes.`);
    return found;
  };
  const token = [...values]
    .filter(([name]) => /^jwt\.k\d+$/.test(name))
    .map(([name, key]) => ({ id: name.slice(4), key }))
    .sort((a, b) => Number(b.id.slice(1)) - Number(a.id.slice(1)))
    .slice(0, 2);
  return {
    token,
    files: value('files'),
    screens: value('screens'),
    csrf: value('csrf'),
    identifiers: value('identifiers'),
    factors: value('factors'),
    publicLinks: value('public_links'),
  };
}
