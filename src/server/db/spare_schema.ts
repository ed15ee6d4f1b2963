import type { Database, Queryable } from './database.ts';
import { quoted } from './names.ts';
import { tenantSystemVersion } from './system_tables.ts';
import type { TypeShape } from './table_shapes.ts';

/**
 * A spare schema for the next client: with the system tables and those of some record types, so that creating a client
 * takes a rename instead of hundreds of statements. There is at most one, in the platform's own database.
 */
const NAME = 'spare_client';
const LOCK = 'mainstay:spare schema';

interface Spare {
  system_version: number;
  /** Type → hash of its tables. */
  types: Record<string, string>;
}

const typesOf = (shapes: readonly TypeShape[]): Record<string, string> =>
  Object.fromEntries(shapes.map(({ type, hash }) => [type, hash]));

/** Whether its tables match these shapes, without additional ones. */
function fits(spare: Spare, shapes: readonly TypeShape[]): boolean {
  const wanted = typesOf(shapes);
  return (
    spare.system_version === tenantSystemVersion &&
    Object.entries(spare.types).every(([type, hash]) => wanted[type] === hash)
  );
}

/**
 * Renames the spare schema to this one, if it exists and fits; in the caller's transaction.
 * @returns the shapes whose tables are still to be created; null = there is no schema yet
 */
export async function takeSpare(
  tx: Queryable,
  schema: string,
  shapes: readonly TypeShape[],
): Promise<TypeShape[] | null> {
  // Of two concurrently created clients one gets it; the other does not wait.
  const [spare] = await tx.query<Spare>(
    'select system_version, types from public.spare_schema where name = $1 for update skip locked',
    [NAME],
  );
  if (!spare || !fits(spare, shapes)) return null;
  await tx.query('delete from public.spare_schema where name = $1', [NAME]);
  await tx.query(`alter schema ${quoted(NAME)} rename to ${quoted(schema)}`);
  return shapes.filter(({ type }) => !(type in spare.types));
}

/**
 * Creates the spare schema with the tables of these shapes; one with other tables is replaced.
 * @param script the statements that create a schema of this name with these tables
 * @param fill writes the initial data of every client
 * @returns whether it was created now
 */
export async function keepSpare(
  db: Database,
  shapes: readonly TypeShape[],
  script: (schema: string) => string,
  fill: (tx: Queryable, schema: string) => Promise<unknown>,
): Promise<boolean> {
  const alone = (tx: Queryable) => tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
  const there = async (on: Queryable): Promise<boolean> => {
    const [spare] = await on.query<Spare>('select system_version, types from public.spare_schema where name = $1', [
      NAME,
    ]);
    return spare !== undefined && fits(spare, shapes) && shapes.every(({ type }) => type in spare.types);
  };
  // Two transactions: dropped and new tables together would need more locks than PostgreSQL grants by default.
  const dropped = await db.transaction(async (tx) => {
    await alone(tx);
    if (await there(tx)) return false;
    await tx.query('delete from public.spare_schema where name = $1', [NAME]);
    await tx.query(`drop schema if exists ${quoted(NAME)} cascade`);
    return true;
  });
  if (!dropped) return false;
  return db.transaction(async (tx) => {
    await alone(tx);
    const [made] = await tx.query('select 1 from public.spare_schema where name = $1', [NAME]);
    if (made) return false;
    await tx.query(script(NAME));
    await fill(tx, NAME);
    await tx.query('insert into public.spare_schema (name, system_version, types) values ($1, $2, $3)', [
      NAME,
      tenantSystemVersion,
      JSON.stringify(typesOf(shapes)),
    ]);
    return true;
  });
}
