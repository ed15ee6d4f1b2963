import type { Screen } from '../../../descriptor/types.ts';
import type { Database } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Services } from '../../engine/modules.ts';
import { industryOf, libraryRows } from './library_rows.ts';

interface LibraryRecordsDeps {
  /** The platform's own database, which holds the libraries. */
  main: Database;
  /** The product's screens. */
  screens: () => ReadonlyMap<string, Screen>;
  platform: () => Promise<Tenant>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

/** What a list of the platform offers a client, for jobs of modules. */
export function createLibraryRecords(deps: LibraryRecordsDeps): Services['libraryRecords'] {
  return async (tenant, type) => {
    const screen = deps.screens().get(type)!;
    await deps.ensure(await deps.platform(), [type, 'client_account', 'industry']);
    const industry = await industryOf(deps.main, tenant.subDomain);
    const names = screen.fields.map(({ name }) => name);
    return libraryRows(deps.main, screen, names, { industry: industry?.id ?? null });
  };
}
