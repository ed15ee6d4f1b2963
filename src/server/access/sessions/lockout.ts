/** After this time without a failure the count restarts. */
export const FORGET_AFTER_MS = 12 * 3_600_000;

/** Seconds to wait after the n-th consecutive failure: 0 below 5, then 30, 60, 120 … at most 900. */
export function waitAfter(failures: number, lockAfter = 5, longest = 900): number {
  return failures < lockAfter ? 0 : Math.min(longest, 30 * 2 ** (failures - lockAfter));
}

/** "Too many attempts. Try again in 2 minutes." */
export function lockedMessage(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}

/** The network of an address for counting: /24 of IPv4, /64 of IPv6. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(mapped)?.[1];
  if (v4 !== undefined) return `${v4}.0/24`;
  const [before = '', after] = mapped.toLowerCase().replace(/%.*$/, '').split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const groups =
    after === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
