import type { FieldError } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { wrongAddress } from '../../services/network/outside_address.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

/** The tile source of a map, and its attribution. */
export interface MapTiles {
  address: string;
  attribution: string;
}

const PLACEHOLDERS = ['{z}', '{x}', '{y}'];

/**
 * The error in an address of map tiles, or null. The host must be fixed: only path and query may contain placeholders.
 */
function wrongTileAddress(text: string): string | null {
  const missing = PLACEHOLDERS.filter((part) => !text.includes(part));
  if (missing.length > 0)
    return `The address names each tile by {z}, {x} and {y}, such as https://tiles.example.com/{z}/{x}/{y}.png; ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  const other = /\{[^}]*\}/g.exec(PLACEHOLDERS.reduce((rest, part) => rest.replaceAll(part, ''), text));
  if (other) return `Only {z}, {x} and {y} are filled in. Write what ${other[0]} stands for.`;
  return wrongAddress(text);
}

/** The origin of tiles, for the content security policy of pages. */
export function tileOrigin(address: string): string | null {
  return wrongTileAddress(address) === null ? new URL(address).origin : null;
}

/** The errors in the map settings of a configuration being saved. */
export function mapErrors(record: Record<string, unknown>, stored: Record<string, unknown> | null): FieldError[] {
  const { map_tiles: address } = record;
  if (typeof address !== 'string' || address === stored?.map_tiles) return [];
  const message = wrongTileAddress(address);
  return message === null ? [] : [{ field: 'map_tiles', message }];
}

/** The client's tiles; null = places are shown on a plain grid. */
export async function mapTiles(tenant: Pick<Tenant, 'schema' | 'db'>): Promise<MapTiles | null> {
  const { map_tiles: address, map_attribution: attribution } = await clientSettings(tenant);
  // An address that the operator no longer allows is ignored.
  return address === undefined || tileOrigin(address) === null ? null : { address, attribution: attribution ?? '' };
}
