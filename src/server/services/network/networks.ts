import { BlockList, isIP } from 'node:net';

/** Addresses or networks, separated by lines or commas; invalid entries are returned in `wrong`. */
export function readNetworks(text: string): { networks: BlockList; count: number; wrong: string[] } {
  const networks = new BlockList();
  const wrong: string[] = [];
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const max = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? max : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || rest.length > 0 || prefix < 0 || prefix > max) wrong.push(entry);
    else networks.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return { networks, count: entries.length - wrong.length, wrong };
}

/** The error in a list of networks; null = none. */
export function networkProblem(text: unknown): string | null {
  const [wrong] = readNetworks(typeof text === 'string' ? text : '').wrong;
  return wrong === undefined
    ? null
    : `"${wrong}" is neither an address nor a network. Write 203.0.113.7 or 203.0.113.0/24, one per line.`;
}

/** Whether an address is allowed by a list of networks; an empty list allows every address. */
export function fromNetworks(text: string | null): (ip: string) => boolean {
  const { networks, count } = readNetworks(text ?? '');
  return (ip) => count === 0 || isOf(networks, ip);
}

/** `::ffff:10.0.0.1` is 10.0.0.1. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Whether an address belongs to one of the networks. */
export function isOf(networks: BlockList, address: string): boolean {
  const bare = plain(address);
  const family = isIP(bare);
  return family !== 0 && networks.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}
