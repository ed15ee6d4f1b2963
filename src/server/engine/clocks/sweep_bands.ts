import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { UNSYNCED, preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import { inZones } from '../../services/clock/client_day.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import { systemSession } from '../events/system_session.ts';
import type { Engine } from '../records/engine.ts';
import { inUnit } from '../records/unit_of_work.ts';

export interface BandDeps {
  engine: Engine;
  product(): ReadonlyMap<string, Screen>;
  screens(session: Session): Map<string, Screen>;
  prepare(tenant: Tenant): Promise<unknown>;
  log: { error(fields: object, message: string): void };
}

interface Waiting {
  record_type: string;
  record_id: number;
}

const MAX_AT_ONCE = 500;

/** Publishes the bands that the clocks of a client's records have reached, each once. @returns the number of records */
export async function sweepBands(deps: BandDeps, tenant: Tenant, now: Date): Promise<number> {
  if (![...deps.product().values()].some(({ clocks }) => clocks)) return 0;
  const due = await tenant.db.query<Waiting>(
    preparedStatement(
      `select record_type, record_id from ${quoted(tenant.schema)}.record_clock where next_at <= $1::timestamptz
       group by record_type, record_id order by min(next_at), record_id limit ${MAX_AT_ONCE}`,
      [now.toISOString()],
    ),
  );
  return forEach(deps, tenant, due, (session, screen, id) => deps.engine.beginBands(session, screen, id, now));
}

/**
 * Recalculates the clocks of open records, for instance after a change of working hours or holidays. @returns the number
 * of records
 */
export async function reckonClocks(deps: BandDeps, tenant: Tenant): Promise<number> {
  let done = 0;
  for (const screen of await clockedTypes(deps, tenant))
    for (let after = 0; ;) {
      const page = await openRecords(tenant, screen, `and id > ${after} order by id limit ${MAX_AT_ONCE}`);
      done += await forEach(deps, tenant, page, (session, own, id) => deps.engine.followClocks(session, own, id));
      if (page.length < MAX_AT_ONCE) break;
      after = page.at(-1)!.record_id;
    }
  return done;
}

/**
 * Computes the clocks of some open records from their log, without storing anything. @returns how many, and where the
 * stored ones differ
 */
export async function compareClocks(
  deps: BandDeps,
  tenant: Tenant,
  max: number,
): Promise<{ compared: number; differences: string[] }> {
  const differences: string[] = [];
  let compared = 0;
  for (const screen of await clockedTypes(deps, tenant)) {
    const some = await openRecords(tenant, screen, `order by random() limit ${max - compared}`);
    compared += await forEach(deps, tenant, some, async (session, own, id) => {
      differences.push(...(await deps.engine.clockDifferences(session, own, id)));
    });
  }
  return { compared, differences };
}

/** The types with clocks that this client uses. */
async function clockedTypes({ product }: BandDeps, { db, schema }: Tenant): Promise<Screen[]> {
  const screens = [...product().values()].filter(({ clocks }) => clocks);
  if (screens.length === 0) return [];
  const there = await db.query<{ at: number }>(
    preparedStatement(
      'select at::integer - 1 as at from unnest($1::text[]) with ordinality as t(name, at) where to_regclass(name) is not null',
      [screens.map(({ name }) => tableName(schema, name))],
    ),
  );
  return there.map(({ at }) => screens[at]!);
}

/** Records of a type with a clock that has not ended. `which`: their choice and order. */
async function openRecords({ db, schema }: Tenant, screen: Screen, which: string): Promise<Waiting[]> {
  const { field, states } = screen.workflow!;
  const goesOn = screen.clocks!.map(({ value }) => `${quoted(value)} ->> 'state' in ('running', 'paused')`);
  return db.query<Waiting>(
    `select $1::text as record_type, id as record_id from ${tableName(schema, screen.name)}
     where active and ${quoted(field)} = any($2::text[]) and (${goesOn.join(' or ')}) ${which}`,
    [screen.name, states.filter(({ is }) => is === 'open').map(({ name }) => name)],
  );
}

/** Each record in its own transaction, holding its lock: other servers skip it. */
async function forEach(
  { product, screens, prepare, log }: BandDeps,
  tenant: Tenant,
  waiting: Waiting[],
  work: (session: Session, screen: Screen, id: number) => Promise<unknown>,
): Promise<number> {
  if (waiting.length === 0) return 0;
  await prepare(tenant);
  const zones = await zonesOf(tenant);
  let done = 0;
  for (const { record_type: type, record_id: id } of waiting) {
    const known = product().get(type);
    try {
      const company = known?.scope === 'entity' ? 'entity_id' : 'null::bigint';
      const stored = async (db: Tenant['db'], lock = '') =>
        known
          ? (
              await db.query<{ entity_id: number | null }>(
                `select ${company} as entity_id${lock === '' ? '' : `, ${UNSYNCED}`} from ${tableName(tenant.schema, type)} where id = $1${lock}`,
                [id],
              )
            )[0]
          : undefined;
      // The consequences of a band belong to the company of the record.
      const of = (await stored(tenant.db))?.entity_id ?? null;
      const took = await inZones(zones, () =>
        inUnit(systemSession(tenant, of, null), async ({ session: as }) => {
          const { db, schema } = as.tenant;
          const row = await stored(db, ' for update');
          const screen = screens(as).get(type);
          if (!row || !screen) {
            await db.query(
              preparedStatement(
                `delete from ${quoted(schema)}.record_clock where record_type = $1 and record_id = $2`,
                [type, id],
              ),
            );
            return false;
          }
          await work(as, screen, id);
          return true;
        }),
      );
      if (took) done++;
    } catch (error) {
      // A failing record does not hold up the others.
      log.error({ err: error, schema: tenant.schema, type, id }, 'A clock could not be computed.');
    }
  }
  return done;
}
