import { AppError } from '../../db/errors.ts';
import type { Reach } from '../../services/network/outside_address.ts';
import { AddressRefused, checkedAddresses } from '../../services/network/outside_address.ts';

/** The operator's limits on the addresses of sources. */
export interface SourceReach {
  /** Networks that are not public (SYNC_PRIVATE_SOURCES), where the source says so too. */
  privateNetworks: boolean;
  /** This machine (SYNC_LOCAL_SOURCES). */
  thisMachine: boolean;
}

/** The addresses that one source may use. */
export function reachOf(source: { private_network: boolean | null }, given: SourceReach): Reach {
  return {
    privateNetwork: given.privateNetworks && source.private_network === true,
    thisMachine: given.thisMachine,
  };
}

const refuse = (message: string) =>
  new AppError(422, 'invalid', message, { field: 'host', details: [{ field: 'host', message }] });

/** A refused address as an error at the source's field; any other error is unchanged. */
export function refusedAddress(error: unknown): unknown {
  if (!(error instanceof AddressRefused)) return error;
  if (error.kind === 'own') return refuse('This address is the server of Mainstay itself.');
  if (error.kind === 'private')
    return refuse(
      'This is an internal address. If that is intended and your operator allows it, tick "Internal address".',
    );
  return refuse(error.kind === 'special' ? 'No server has this address.' : error.message);
}

/** A checked address of a server name, for connecting. @throws AppError 422 */
export async function checkedAddress(host: string, reach: Reach): Promise<string> {
  const [first] = await checkedAddresses(host, reach).catch((error: unknown) => {
    throw refusedAddress(error);
  });
  return first!.address;
}

/** The checked address of a source's server. @throws AppError 422 */
export function addressOf(
  source: { host: string | null; private_network: boolean | null },
  given: SourceReach,
): Promise<string> {
  return checkedAddress(source.host ?? '', reachOf(source, given));
}
