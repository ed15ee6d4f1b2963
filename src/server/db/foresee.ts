import type { Screen } from '../../descriptor/types.ts';
import type { Refusal } from './apply.ts';
import { alterSchema, weigh } from './apply.ts';
import { readCatalogue } from './catalogue.ts';
import type { Database, Queryable } from './database.ts';
import type { Directory } from './directory.ts';
import type { Change } from './change.ts';
import { planSchema } from './plan.ts';
import { shapesOf } from './table_shapes.ts';
import { allTenants, platformShapes, presentShapes, staleShapes } from './tenants.ts';

/** Returns the findings out of a transaction that is rolled back. */
class Undone extends Error {
  readonly refused: Refusal[];
  constructor(refused: Refusal[]) {
    super('Only looked at.');
    this.refused = refused;
  }
}

/** The changes of a plan that would be refused now, without changing anything. */
export async function weighPlan(db: Database, schema: string, changes: Change[]): Promise<Refusal[]> {
  const [renames, rest] = [changes.filter((one) => one.rename), changes.filter((one) => one.destructive)];
  if (rest.length === 0) return [];
  if (renames.length === 0) return weighEach(db, rest, (work) => work());
  // The rest of the plan uses the new names: they are applied temporarily.
  try {
    return await alterSchema(db, schema, async (tx) => {
      for (const { sql, follow } of renames) {
        for (const statement of sql) await tx.query(statement);
        await follow?.(tx);
      }
      throw new Undone(
        await weighEach(tx, rest, async (work) => {
          await tx.query('savepoint weighing');
          try {
            return await work();
          } finally {
            await tx.query('rollback to savepoint weighing');
          }
        }),
      );
    });
  } catch (error) {
    if (error instanceof Undone) return error.refused;
    throw error;
  }
}

async function weighEach(
  on: Queryable,
  changes: Change[],
  around: (work: () => Promise<Refusal | null>) => Promise<Refusal | null>,
): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const change of changes) {
    const refusal = await around(() => weigh(on, change)).catch((error: unknown) => {
      // It concerns a column or table that the plan creates first: there are no affected rows yet.
      if (['42703', '42P01', '42804', '42883'].includes((error as { code?: string }).code ?? '')) return null;
      throw error;
    });
    if (refusal) refused.push(refusal);
  }
  return refused;
}

/** The changes that `migrateTenants` would refuse, by client. */
export async function foreseeRefusals(
  directory: Directory,
  screens: ReadonlyMap<string, Screen>,
): Promise<{ subDomain: string; refused: Refusal[] }[]> {
  const found: { subDomain: string; refused: Refusal[] }[] = [];
  const look = async (subDomain: string, db: Database, schema: string, ofPlatform: boolean): Promise<void> => {
    const shapes = ofPlatform ? await platformShapes(db, screens) : await presentShapes(db, schema, shapesOf(screens));
    const stale = (await staleShapes(db, schema, shapes)).map(({ type }) => type);
    if (stale.length === 0) return;
    const plan = planSchema(screens, schema, await readCatalogue(db, schema, stale), stale);
    const refused = await weighPlan(db, schema, plan);
    if (refused.length > 0) found.push({ subDomain, refused });
  };
  await look('public', directory.main, 'public', true);
  const waiting = await allTenants(directory);
  const next = async (): Promise<void> => {
    for (let tenant = waiting.shift(); tenant; tenant = waiting.shift())
      await look(tenant.subDomain, tenant.db.owner, tenant.schema, false);
  };
  await Promise.all([next(), next(), next()]);
  return found;
}
