import type { Screen } from '../../descriptor/types.ts';
import type { Directory } from '../db/directory.ts';
import { keepSpareFor } from '../db/tenants.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { hasAccounts } from './account.ts';
import { loadReference } from './provision.ts';

const ACCOUNT = 'client_account';

/** The products of the client that is being prepared; null = none is. */
async function expectedProducts({ main }: Pick<Directory, 'main'>): Promise<string[] | null> {
  if (!(await hasAccounts(main))) return null;
  const [draft] = await main.query<{ products: string[] }>(
    `select array(select p.code from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = a.id order by p.code) as products
     from public.client_account a where a.active and a.state = 'draft' order by a.updated_at desc limit 1`);
  return draft?.products ?? null;
}

/** While somebody writes down what a client is to be, its tables are made, so that the client itself takes a moment. */
export function defineSpareClient(jobs: Jobs, directory: Directory, screens: () => ReadonlyMap<string, Screen>): void {
  jobs.define({
    name: 'spare_client',
    title: 'Keep tables ready for the client that is being prepared',
    after: ACCOUNT,
    scope: 'platform',
    run: async () => {
      const products = await expectedProducts(directory);
      if (products === null) return 'No client is being prepared.';
      const now = screens();
      return (await keepSpareFor(directory, now, products, (tx, schema) => loadReference(tx, schema, now))) ? `Made, for ${products.join(', ') || 'no product'}.` : 'They are ready.';
    },
  });
}
