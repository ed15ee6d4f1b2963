import type { Screen } from '../../../descriptor/types.ts';
import type { Directory } from '../../db/directory.ts';
import { keepSpareFor } from '../../db/tenants.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { hasAccounts } from './account.ts';
import { loadReference } from './provision.ts';

const ACCOUNT = 'client_account';

/**
 * The products of the client being prepared, otherwise of the last one created here (except demo clients); null =
 * neither.
 */
async function expectedProducts({ main }: Pick<Directory, 'main'>): Promise<string[] | null> {
  if (!(await hasAccounts(main))) return null;
  const [draft] = await main.query<{ products: string[] }>(
    `select array(select p.code from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = a.id order by p.code) as products
     from public.client_account a where a.active and a.state = 'draft' order by a.updated_at desc limit 1`,
  );
  if (draft) return draft.products;
  const [last] = await main.query<{ products: string[] }>(
    `select array(select unnest(c.products) order by 1) as products from public.client c where c.state = 'ready' and exists (select 1 from public.client_step s where s.client_id = c.id and s.step = 'schema') order by c.id desc limit 1`,
  );
  return last?.products ?? null;
}

/**
 * Creates tables for the next client in advance: while the client's data is being entered, so that creating it takes a
 * moment; and after one was created, for the next one, which will probably have the same products.
 */
export function defineSpareClient(jobs: Jobs, directory: Directory, screens: () => ReadonlyMap<string, Screen>): void {
  jobs.define({
    name: 'spare_client',
    title: 'Keep tables ready for the next client',
    after: ACCOUNT,
    cron: '*/10 * * * *',
    scope: 'platform',
    run: async () => {
      const products = await expectedProducts(directory);
      if (products === null) return 'There is no client to take the products from.';
      const now = screens();
      return (await keepSpareFor(directory, now, products, (tx, schema) => loadReference(tx, schema, now)))
        ? `Created for ${products.join(', ') || 'no product'}.`
        : 'They are ready.';
    },
  });
}
