import { lookup as dnsLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isOf, readNetworks } from './networks.ts';

/**
 * What no client may have this server call: itself, its network, the machine's metadata service, and addresses
 * that stand for others (IPv4 within IPv6). Sources: IANA special-purpose address registries, RFC 6890.
 */
const INSIDE_4 = readNetworks(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16
   198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
).networks;
/** A list of its own: a network of mapped addresses would hold every IPv4 address of a common one. */
const INSIDE_6 = readNetworks(
  '::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
).networks;

/** Names that mean this machine or its network wherever they are asked for. */
const INSIDE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

export const INSIDE_MESSAGE =
  'This address is inside the network. Webhooks go to public addresses; your operator can allow a host by WEBHOOK_ALLOW_HOSTS.';

/** How long a name may take to be looked up when a webhook is saved. */
const LOOK_UP_MS = 2_000;

let allowed: ReadonlySet<string> = new Set();

/** Hosts of the operator's own network that may be called all the same, also without TLS: WEBHOOK_ALLOW_HOSTS. */
export function allowHosts(hosts: readonly string[]): void {
  allowed = new Set(hosts.map((host) => host.toLowerCase()));
}

export function isAllowedHost(host: string): boolean {
  return allowed.has(bare(host));
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** Whether an IP address is one that may not be called. */
export function isInside(address: string): boolean {
  const family = isIP(address);
  return family === 0 || isOf(family === 4 ? INSIDE_4 : INSIDE_6, address);
}

/** What is wrong with an address as it is written, or null; names are not looked up. */
export function wrongAddress(text: string): string | null {
  if (!URL.canParse(text)) return 'Enter a whole address, such as https://hooks.example.com/mainstay.';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address begins with https://.';
  if (username !== '' || password !== '')
    return 'Leave user name and password out of the address; send them as a header.';
  const host = bare(hostname);
  if (allowed.has(host)) return null;
  if (protocol !== 'https:') return 'The address begins with https://.';
  if (isIP(host) !== 0 ? isInside(host) : INSIDE_NAMES.test(host) || !host.includes('.')) return INSIDE_MESSAGE;
  return null;
}

/** {@link wrongAddress}, and where the name leads today. A name nobody knows yet may be saved: each call looks again. */
export async function wrongTarget(text: string): Promise<string | null> {
  const wrong = wrongAddress(text);
  if (wrong !== null) return wrong;
  const host = bare(new URL(text).hostname);
  if (allowed.has(host) || isIP(host) !== 0) return null;
  const found = await Promise.race([
    addressesOf(host).catch(() => []),
    new Promise<LookupAddress[]>((resolve) => setTimeout(() => resolve([]), LOOK_UP_MS).unref()),
  ]);
  return found.some(({ address }) => isInside(address)) ? INSIDE_MESSAGE : null;
}

function addressesOf(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) =>
    dnsLookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );
}

/** Looks a name up for a connection, and refuses it when any of its addresses is inside: what is checked is what is called. */
export const outsideLookup: LookupFunction = (host, options, callback) => {
  addressesOf(host).then(
    (found) => {
      const wanted = found.filter(
        ({ family }) => !options.family || options.family === family || options.family === `IPv${family}`,
      );
      const first = wanted[0];
      if (!first)
        return callback(Object.assign(new Error(`There is no address for ${host}.`), { code: 'ENOTFOUND' }), '', 0);
      if (!isAllowedHost(host) && found.some(({ address }) => isInside(address)))
        return callback(Object.assign(new Error(INSIDE_MESSAGE), { code: 'EINSIDE' }), '', 0);
      if (options.all) return callback(null, wanted);
      callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, '', 0),
  );
};
