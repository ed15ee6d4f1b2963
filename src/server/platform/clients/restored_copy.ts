import { announce } from '../../db/announce.ts';
import type { Directory } from '../../db/directory.ts';
import { AppError } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';

/** Enables sending and jobs of a restored copy. @throws AppError 409 if it is not one, or already enabled */
export async function switchCopyOn({ main }: Directory, tenant: Tenant): Promise<void> {
  await main.transaction(async (tx) => {
    const changed = await tx.query(
      'update public.client set held = false, version = version + 1, updated_at = now() where id = $1 and schema_name = $2 and held returning 1',
      [tenant.id, tenant.schema],
    );
    if (changed.length === 0)
      throw new AppError(409, 'bad_state', 'This client is not a restored copy, or is switched on already.');
    await announce(tx, { kind: 'client' });
  });
}
