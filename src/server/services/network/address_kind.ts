import { isIP } from 'node:net';
import os from 'node:os';
import { isOf, readNetworks } from './networks.ts';

/**
 * public: anybody's; private: the network of this server; own: this machine, and metadata services; special: not a
 * server's address.
 */
export type AddressKind = 'public' | 'private' | 'own' | 'special';

/**
 * Sources: IANA special-purpose address registries, RFC 6890. IPv4 and IPv6 are separate, because a mapped network
 * would contain every IPv4 address.
 */
const OWN_4 = readNetworks('0.0.0.0/8 127.0.0.0/8 169.254.0.0/16').networks;
const PRIVATE_4 = readNetworks('10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16').networks;
const SPECIAL_4 = readNetworks(
  '192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
).networks;
const OWN_6 = readNetworks('::/127 fe80::/10').networks;
const PRIVATE_6 = readNetworks('fc00::/7 fec0::/10').networks;
/** Including those that embed IPv4 addresses: compatible, translated, NAT64, Teredo, 6to4. */
const SPECIAL_6 = readNetworks(
  '::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 ff00::/8',
).networks;
/** Cloud metadata services at otherwise ordinary addresses: Azure, Alibaba, Oracle, AWS, Google. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']);

/** The canonical form of an address; `::ffff:7f00:1` is 127.0.0.1. */
function written(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
  return bytes.join('.');
}

/** Whether an address belongs to an interface of this machine. Checked each time, because networks change. */
function isInterface(address: string): boolean {
  return Object.values(os.networkInterfaces()).some((list) => list?.some((one) => written(one.address) === address));
}

/** The kind of an IP address; anything invalid is `special`. */
export function kindOf(address: string): AddressKind {
  const plain = written(address);
  const family = isIP(plain);
  if (family === 0) return 'special';
  if (METADATA.has(plain) || isInterface(plain)) return 'own';
  const [own, inside, special] = family === 4 ? [OWN_4, PRIVATE_4, SPECIAL_4] : [OWN_6, PRIVATE_6, SPECIAL_6];
  if (isOf(own, plain)) return 'own';
  if (isOf(inside, plain)) return 'private';
  return isOf(special, plain) ? 'special' : 'public';
}
