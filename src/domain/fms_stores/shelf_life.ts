import { Exact } from '../../descriptor/exact.ts';

const DAY = 86_400_000;
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** The remaining shelf life of a batch when it is received (5.17). Days are YYYY-MM-DD; percent to 2 decimals. */
export function shelfLife(
  madeOn: string,
  days: number,
  receivedOn: string,
  alertDays = 0,
): { expiresOn: string; daysLeft: number; percentLeft: string; alertFrom: string } {
  const expiresOn = plusDays(madeOn, days);
  const daysLeft = Math.round((Date.parse(expiresOn) - Date.parse(receivedOn)) / DAY);
  return {
    expiresOn,
    daysLeft,
    percentLeft: new Exact(daysLeft).times(100).dividedBy(days).toFixed(2),
    alertFrom: plusDays(expiresOn, -alertDays),
  };
}
