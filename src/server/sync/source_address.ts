import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AppError } from '../errors.ts';

/** Addresses of this very machine and of what machines are told about themselves by: never a client's own database. */
const own = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const)
  own.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fe80::', 10],
] as const)
  own.addSubnet(network, bits, 'ipv6');
own.addAddress('::1', 'ipv6');

const inside = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inside.addSubnet(network, bits, 'ipv4');
inside.addSubnet('fc00::', 7, 'ipv6');

/** Which addresses a source may have beyond public ones. */
export interface Reach {
  /** Networks that are not public, when the source says so. */
  privateNetwork: boolean;
  /** This machine: for installations whose operator allows it (SYNC_LOCAL_SOURCES). */
  thisMachine: boolean;
}

/**
 * The address behind a server's name, checked. The connection is made to this address and not to the name, so that
 * the name cannot mean another machine a moment later. @throws AppError 422
 */
export async function checkedAddress(host: string, { privateNetwork, thisMachine }: Reach): Promise<string> {
  const found =
    isIP(host) > 0 ? [host] : (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  const refuse = (message: string) =>
    new AppError(422, 'invalid', message, { field: 'host', details: [{ field: 'host', message }] });
  if (found.length === 0) throw refuse(`There is no server "${host}". Check its name.`);
  for (const address of found) {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
    if (own.check(plain, family) && !thisMachine) throw refuse('This address is the server of Mainstay itself.');
    if (inside.check(plain, family) && !privateNetwork)
      throw refuse('This address is inside the network. Tick "Inside the network" if that is meant.');
  }
  return found[0]!;
}

/** The checked address of a source's server. @throws AppError 422 */
export function addressOf(
  source: { host: string | null; private_network: boolean | null },
  { thisMachine }: { thisMachine: boolean },
): Promise<string> {
  return checkedAddress(source.host ?? '', { privateNetwork: source.private_network === true, thisMachine });
}
