import { Readable } from 'node:stream';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { FileStore } from '../../services/files/store.ts';
import { emblem } from './emblem.ts';

const MAX_BYTES = 1024 * 1024;
const [LOGO, ICON] = [160, 64];
/** For brands without their own colour. */
const OWN_COLOUR = '#1d2f7a';

/** Gives logos and icons to the brands of the demo installation that have none. */
export async function addBrandPictures(platform: Tenant, dataDir: string): Promise<void> {
  const files = new FileStore(dataDir, MAX_BYTES);
  const brands = await platform.db.query<{ id: number; title: string; colour: string | null }>(
    `select b.id, b.title, b.primary_color as colour from public.brand b where b.logo is null and b.icon is null
       and exists (select 1 from public.history h where h.record_type = 'brand' and h.record_id = b.id and h.what = 'demo') order by b.id`,
  );
  for (const [at, { id, title, colour }] of brands.entries()) {
    const session = { tenant: platform, userId: 0 } as Session;
    const save = async (name: string, size: number, field: string) =>
      (
        await files.save(
          session,
          `${title} ${name}.png`,
          Readable.from([emblem(size, colour ?? OWN_COLOUR, at)]),
          field,
        )
      ).id;
    await platform.db.query('update public.brand set logo = $2, icon = $3 where id = $1', [
      id,
      await save('logo', LOGO, 'brand.logo'),
      await save('icon', ICON, 'brand.icon'),
    ]);
  }
}
