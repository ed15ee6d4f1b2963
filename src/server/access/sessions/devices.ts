import { createHash, randomBytes } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';

export const DEVICE_COOKIE = 'known_device';
export const DEVICE_DAYS = 365;

const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

/** True if this browser has signed in as this user before: a stranger's failures do not lock it out. */
export async function isKnownDevice(
  tenant: Tenant,
  userId: number | null,
  cookie: string | undefined,
): Promise<boolean> {
  if (tenant.schema === 'public' || userId === null || cookie === undefined || cookie === '') return false;
  const rows = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.known_device where cookie_hash = $1 and user_id = $2`,
    [hashOf(cookie), userId],
  );
  return rows.length > 0;
}

/** Remembers the browser for the user; returns the value of its cookie, a new one unless it was known. */
export async function rememberDevice(
  tenant: Tenant,
  userId: number,
  cookie: string | undefined,
  label: string,
): Promise<string | null> {
  if (tenant.schema === 'public') return null;
  const table = `${quoted(tenant.schema)}.known_device`;
  if (cookie !== undefined) {
    const rows = await tenant.db.query(
      `update ${table} set last_seen = now(), label = $3 where cookie_hash = $1 and user_id = $2 returning 1`,
      [hashOf(cookie), userId, label],
    );
    if (rows.length > 0) return cookie;
  }
  const value = randomBytes(24).toString('base64url');
  await tenant.db.query(`insert into ${table} (user_id, cookie_hash, label) values ($1, $2, $3)`, [
    userId,
    hashOf(value),
    label,
  ]);
  return value;
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Chrome on Windows", for the list of one's own sign-ins. */
export function deviceLabel(userAgent: string | undefined): string {
  const name = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = name(BROWSERS) ?? 'Unknown program';
  const system = name(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
