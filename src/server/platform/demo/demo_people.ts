import { join } from 'node:path';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import { tableName } from '../../db/tables.ts';
import { ensureTables } from '../../db/tenants.ts';
import { DomainEvents } from '../../engine/events/domain_events.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import { NamedFunctions } from '../../engine/modules.ts';
import { LAY_OUT } from '../../engine/print/kept_prints.ts';
import { createEngine } from '../../engine/records/engine.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { addDays } from './dates.ts';
import { SILENT } from './silent_notifications.ts';

type Row = Record<string, unknown>;
type Act = <T>(work: (unit: Unit) => Promise<T>) => Promise<T>;

const DAY_MS = 86_400_000;
const MODULES = join(import.meta.dirname, '../../modules');

/** Types whose records the documents name: each with the field that identifies them there. */
export type NamedTypes = Readonly<Record<string, { by: string; ofCompany?: true }>>;

/** What a person of the demo company does: documents are added and moved on by the engine, as people do it. */
export class DemoPerson {
  readonly act: Act;
  readonly #ids: ReadonlyMap<string, number>;
  /** Today plus a number of days. */
  readonly day: (offset: number) => string;

  constructor(act: Act, ids: ReadonlyMap<string, number>, day: (offset: number) => string) {
    this.act = act;
    this.#ids = ids;
    this.day = day;
  }

  /** @throws Error if the demo has no such record */
  id(type: string, code: string): number {
    const id = this.#ids.get(`${type}/${code}`);
    if (id === undefined) throw new Error(`demo: there is no ${type} "${code}".`);
    return id;
  }

  /** Adds a document and takes these transitions. */
  async add(type: string, values: Row, ...steps: string[]): Promise<WireRecord> {
    return this.take(await this.act((unit) => unit.create(type, values)), type, ...steps);
  }

  /** Creates a follow-up document, with other values for some of its fields and lines. */
  async make(
    of: WireRecord,
    from: string,
    name: string,
    to: string,
    values: { lines?: (lines: Row[]) => Row[]; fields?: Row },
    ...steps: string[]
  ): Promise<WireRecord> {
    const made = await this.act(async (unit) => {
      const one = await unit.make(name, { type: from, id: of.id });
      if (!values.fields && !values.lines) return one;
      return unit.update(to, one.id, {
        ...values.fields,
        ...(values.lines && { lines: values.lines(one.lines as Row[]) }),
      });
    });
    return this.take(made, to, ...steps);
  }

  /** Takes transitions of a document, one after another. */
  async take(record: WireRecord, type: string, ...steps: string[]): Promise<WireRecord> {
    let now = record;
    for (const step of steps) now = await this.step(record, type, step);
    return now;
  }

  /** Takes one transition with what it asks for. */
  step(record: WireRecord, type: string, name: string, asked: Row = {}): Promise<WireRecord> {
    return this.act((unit) => unit.transition(type, record.id, name, asked));
  }

  change(record: WireRecord, type: string, values: Row): Promise<WireRecord> {
    return this.act((unit) => unit.update(type, record.id, values));
  }
}

/** What people of the demo company work on. */
export interface Work {
  company: string;
  /** The tables of these folders are made first. */
  folders: string[];
  types: NamedTypes;
  /** If the company has records of this type, the work was done before. Default: it was not. */
  isDone?: string;
  /** Whether other modules follow. Default: no. */
  follows?: true;
}

/**
 * Lets people of a company work, all in one transaction.
 * @param work gets a function that makes a person by a place, 0 for the first user of the company, who acts a number of
 *   days ago: documents and their history are of that day, stock is posted on the day that its document names
 */
export async function letPeopleWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
  { company: code, folders, types, isDone, follows }: Work,
  work: (person: (place: number, daysAgo?: number) => ConstructorParameters<typeof DemoPerson>) => Promise<void>,
): Promise<void> {
  await ensureTables(
    tenant,
    screens,
    [...screens.values()].filter(({ folder }) => folders.includes(folder)).map(({ name }) => name),
  );
  const table = (type: string) => tableName(tenant.schema, type);
  const [company] = await tenant.db.query<{ id: number }>(`select id from ${table('entity')} where code = $1`, [code]);
  if (!company) return;
  if (isDone !== undefined) {
    const done = await tenant.db.query(`select 1 from ${table(isDone)} where entity_id = $1 limit 1`, [company.id]);
    if (done.length > 0) return;
  }
  const users = await tenant.db.query<{ id: number }>(
    `select u.id from ${table('users')} u join ${table('employee')} e on e.id = u.employee_id
     where e.entity_id = $1 and u.active order by u.id limit 3`,
    [company.id],
  );
  const modules = await loadModules(MODULES);
  const engine = createEngine({
    notifications: SILENT,
    screens: () => screens as Map<string, Screen>,
    functions: new NamedFunctions(modules),
    // They use only files that they have just added.
    mayOpenFile: () => Promise.resolve(true),
    // What follows in other modules, and the files of issued documents, are made when the product runs.
    events: new DomainEvents(
      follows ? modules : modules.map(({ name, emits }) => ({ name, ...(emits && { emits }) })),
      (job) => follows === true && job === LAY_OUT,
    ),
  });
  await tenant.db.transaction(async (tx) => {
    const ids = await idsOf(tx, tenant.schema, company.id, types);
    await work((place, daysAgo = 0) => [
      // Each action runs as its own person, and all of them in one transaction.
      async (of) => {
        const as = systemSession(tenant, company.id, users[place]?.id ?? null);
        const act = (session: typeof as) => of(engine.unit(unitOf(session)!, { elevated: true }).elevated());
        if (daysAgo === 0) return withinTransaction(as, tx, act);
        const at = new Date(Date.now() - daysAgo * DAY_MS);
        const before = await lastOfHistory(tx, tenant.schema);
        const done = await withinTransaction(as, tx, act, { at });
        await dateBack(tx, tenant.schema, before, at);
        return done;
      },
      ids,
      (offset) => addDays(today, offset),
    ]);
  });
}

async function lastOfHistory(db: Queryable, schema: string): Promise<number> {
  const [last] = await db.query<{ id: number }>(
    `select coalesce(max(id), 0) as id from ${tableName(schema, 'history')}`,
  );
  return Number(last!.id);
}

/** Dates the history of an action in the past, which was not entered later: it happened on that day. */
async function dateBack(db: Queryable, schema: string, after: number, at: Date): Promise<void> {
  await db.query(`update ${tableName(schema, 'history')} set at = $2 where id > $1`, [after, at.toISOString()]);
  await db.query(`update ${tableName(schema, 'transition_log')} set recorded_at = at where at = $1`, [
    at.toISOString(),
  ]);
}

/** Ids of the records that the documents name, by type and code. */
async function idsOf(
  db: Queryable,
  schema: string,
  company: number,
  types: NamedTypes,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ key: string; id: number }>(
    Object.entries(types)
      .map(
        ([type, { by, ofCompany }]) =>
          `select '${type}/' || ${by} as key, id from ${tableName(schema, type)}${ofCompany ? ` where entity_id = ${company}` : ''}`,
      )
      .join(' union all '),
  );
  return new Map(rows.map(({ key, id }) => [key, Number(id)]));
}
