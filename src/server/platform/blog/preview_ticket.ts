import { createHmac, timingSafeEqual } from 'node:crypto';

/** The validity of a preview, in seconds. */
const PREVIEW_SECONDS = 3600;

function sign(payload: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`article:${payload}`).digest();
}

/** The signed token for an unpublished article: its id and expiry. */
export function previewTicket(id: number, key: Buffer, now = Date.now()): string {
  const payload = `${id}-${Math.floor(now / 1000) + PREVIEW_SECONDS}`;
  return `${payload}-${sign(payload, key).toString('base64url')}`;
}

/** The article of a token; null = forged, damaged or expired. */
export function readPreviewTicket(ticket: string, key: Buffer, now = Date.now()): number | null {
  const parts = /^(\d{1,15})-(\d{1,12})-([\w-]{43})$/.exec(ticket);
  if (!parts) return null;
  const expected = sign(`${parts[1]}-${parts[2]}`, key);
  const given = Buffer.from(parts[3]!, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return Number(parts[2]) * 1000 >= now ? Number(parts[1]) : null;
}
