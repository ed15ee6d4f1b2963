import { lookup as dnsLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { AddressKind } from './address_kind.ts';
import { kindOf } from './address_kind.ts';

/** Names that refer to this machine or its network wherever they are resolved. */
const INSIDE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

export const INSIDE_MESSAGE =
  'This is an internal address. Enter a public one, or ask your operator to allow the host with INSIDE_HOSTS.';

/** The time-out of a look-up when an address is saved. */
const LOOK_UP_MS = 2_000;

/** Which addresses may be connected to beside public ones. */
export interface Reach {
  /** Networks that are not public. */
  privateNetwork: boolean;
  /** This machine, and addresses of metadata services. */
  thisMachine: boolean;
}

const PUBLIC_ONLY: Reach = { privateNetwork: false, thisMachine: false };

/** Why a connection is refused. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly kind: Exclude<AddressKind, 'public'> | 'unknown';
  constructor(kind: AddressRefused['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

let allowed: ReadonlySet<string> = new Set();

/** Hosts of the operator's own network that clients may call nevertheless, also without TLS: INSIDE_HOSTS. */
export function allowHosts(hosts: readonly string[]): void {
  allowed = new Set(hosts.map((host) => host.toLowerCase()));
}

function bare(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** The error in an address as written, or null; names are not resolved. */
export function wrongAddress(text: string): string | null {
  if (!URL.canParse(text)) return 'Enter a whole address, such as https://hooks.example.com/mainstay.';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'The address begins with https://.';
  if (username !== '' || password !== '')
    return 'Leave user name and password out of the address; send them as a header.';
  if (allowed.has(bare(hostname))) return null;
  return protocol === 'https:' ? wrongHost(hostname) : 'The address begins with https://.';
}

function wrongHost(text: string): string | null {
  const host = bare(text);
  if (allowed.has(host)) return null;
  const inside = isIP(host) !== 0 ? kindOf(host) !== 'public' : INSIDE_NAMES.test(host) || !host.includes('.');
  return inside ? INSIDE_MESSAGE : null;
}

/**
 * {@link wrongAddress}, including the current target of the name. An unknown name may be saved: each call checks again.
 */
export async function wrongTarget(text: string): Promise<string | null> {
  return wrongAddress(text) ?? leadsInside(new URL(text).hostname);
}

/** The error in a server name or address when it is saved, or null. */
export async function wrongServer(host: string): Promise<string | null> {
  return wrongHost(host) ?? leadsInside(host);
}

async function leadsInside(host: string): Promise<string | null> {
  return Promise.race([
    checkedAddresses(host, PUBLIC_ONLY).then(
      () => null,
      (error: unknown) => (error instanceof AddressRefused && error.kind !== 'unknown' ? INSIDE_MESSAGE : null),
    ),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), LOOK_UP_MS).unref()),
  ]);
}

/**
 * The addresses of a server name, each checked. A caller connects to one of these and not to the name again, which may
 * resolve differently a moment later.
 * @throws AddressRefused
 */
export async function checkedAddresses(host: string, reach: Reach = PUBLIC_ONLY): Promise<LookupAddress[]> {
  const name = bare(host);
  const found = await dnsLookup(name, { all: true }).catch(() => []);
  if (found.length === 0) throw new AddressRefused('unknown', `There is no server "${name}". Check its name.`);
  if (allowed.has(name)) return found;
  for (const { address } of found) {
    const kind = kindOf(address);
    if (kind === 'public' || (kind === 'private' && reach.privateNetwork) || (kind === 'own' && reach.thisMachine))
      continue;
    throw new AddressRefused(kind, INSIDE_MESSAGE);
  }
  return found;
}

/** The look-up for a connection: the checked address is the one connected to. */
export function lookupWithin(reach: Reach = PUBLIC_ONLY): LookupFunction {
  return (host, options, callback) => {
    checkedAddresses(host, reach).then(
      (found) => {
        const wanted = found.filter(
          ({ family }) => !options.family || options.family === family || options.family === `IPv${family}`,
        );
        const first = wanted[0];
        if (!first) callback(new AddressRefused('unknown', `There is no address for ${host}.`), '', 0);
        else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
