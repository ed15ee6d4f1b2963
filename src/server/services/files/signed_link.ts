import { createHmac, timingSafeEqual } from 'node:crypto';

/** The content of a signed file address. `schema` is the tenant's, `exp` seconds since 1970. */
export interface FileTicket {
  schema: string;
  file: number;
  sid: string;
  /** The thumbnail instead of the file itself. */
  small?: true;
  exp: number;
}

const LIFE_SECONDS = 60;

function sign(payload: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`file:${payload}`).digest();
}

/** The address of a file, valid for 60 seconds and for the requesting session. */
export function fileLink(ticket: Omit<FileTicket, 'exp'>, key: Buffer, now = Date.now()): string {
  const payload = Buffer.from(JSON.stringify({ ...ticket, exp: Math.floor(now / 1000) + LIFE_SECONDS })).toString(
    'base64url',
  );
  return `/files/${payload}.${sign(payload, key).toString('base64url')}`;
}

/** The target of the address, or null if it is forged, damaged or expired. */
export function readFileLink(address: string, key: Buffer, now = Date.now()): FileTicket | null {
  const [payload, signature] = address.split('.');
  if (payload === undefined || signature === undefined) return null;
  const expected = sign(payload, key);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  try {
    const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString()) as FileTicket;
    return ticket.exp * 1000 >= now ? ticket : null;
  } catch {
    return null;
  }
}
