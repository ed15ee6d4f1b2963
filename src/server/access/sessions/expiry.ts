import { DateTime } from 'luxon';

const DAY = 86_400_000;
const SESSION_DAYS = 7;
/** The maximum lifetime of a session in days; 0 = unlimited. */
const ABSOLUTE_DAYS = 90;

/** When a session that starts now ends, unless it is prolonged. */
export function firstExpiry(now: Date, absoluteDays = ABSOLUTE_DAYS): Date {
  return new Date(Math.min(now.getTime() + SESSION_DAYS * DAY, absoluteEnd(now, absoluteDays).getTime()));
}

/** The absolute end, beyond which no refresh extends a session. */
export function absoluteEnd(signedInAt: Date, absoluteDays = ABSOLUTE_DAYS): Date {
  return absoluteDays > 0 ? new Date(signedInAt.getTime() + absoluteDays * DAY) : new Date(8.64e15);
}

/** The end after a refresh now: 7 days more, at most 10 days from now, never beyond the absolute end. */
export function refreshedExpiry(expiresAt: Date, signedInAt: Date, now: Date, absoluteDays = ABSOLUTE_DAYS): Date {
  return new Date(
    Math.min(
      expiresAt.getTime() + SESSION_DAYS * DAY,
      now.getTime() + 10 * DAY,
      absoluteEnd(signedInAt, absoluteDays).getTime(),
    ),
  );
}

/** The day on which it ends, in the tenant's time zone, YYYY-MM-DD. */
export function expiryDate(expiresAt: Date, timezone: string): string {
  return DateTime.fromJSDate(expiresAt).setZone(timezone).toISODate() ?? expiresAt.toISOString().slice(0, 10);
}

/** A displayed time in the tenant's time zone: DD-MM-YYYY HH:MM. */
export function messageTime(at: Date, timezone: string): string {
  return DateTime.fromJSDate(at).setZone(timezone).toFormat('dd-MM-yyyy HH:mm');
}

/** With the tenant's UTC offset, as session times over HTTP. */
export function localTime(at: Date, timezone: string): string {
  return (
    DateTime.fromJSDate(at).setZone(timezone).startOf('second').toISO({ suppressMilliseconds: true }) ??
    at.toISOString()
  );
}
