import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from './database.ts';

/** The key with which this installation signs its backups; created on first use. */
export async function backupKey(main: Queryable): Promise<Buffer> {
  await main.query(`insert into public.secret (name, value) values ('backups', $1) on conflict (name) do nothing`, [
    randomBytes(32).toString('base64'),
  ]);
  const [row] = await main.query<{ value: string }>(`select value from public.secret where name = 'backups'`);
  const key = Buffer.from(row!.value, 'base64');
  if (key.length < 32) throw new Error('public.secret "backups" is shorter than 32 bytes.');
  return key;
}

/** The signature of a backup: only the owner of the key can write it. */
export function signatureOf(sha256: string, key: Buffer): string {
  return createHmac('sha256', key).update(`mainstay backup\n${sha256}`).digest('hex');
}

/** Whether a backup was written with the key and is unchanged. */
export function isSigned(sha256: string, signature: unknown, key: Buffer): boolean {
  const [given, right] = [
    Buffer.from(typeof signature === 'string' ? signature : ''),
    Buffer.from(signatureOf(sha256, key)),
  ];
  return given.length === right.length && timingSafeEqual(given, right);
}
