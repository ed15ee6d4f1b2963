import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { literal, quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { columnFields, columnSql } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { LiveSession, SessionStore } from '../../access/sessions/session_store.ts';
import { nextRun } from '../sync/due_jobs.ts';
import { totalOf } from './client_figures.ts';
import type { Definitions, KpiDefinition } from './definitions.ts';

export interface CollectionsDeps {
  jobs: Jobs;
  definitions: Definitions;
  /** The product's screens. */
  screens: () => ReadonlyMap<string, Screen>;
  /** The screens as a session has them: without the fields that are kept from it. */
  screensOf: (session: Session) => Promise<Map<string, Screen>>;
  store: Pick<SessionStore, 'ofPerson'>;
  ensure: (tenant: Tenant, types: string[]) => Promise<unknown>;
  changed: (tenant: Tenant, type: string, id: number) => void;
}

export type CollectionTrigger = 'schedule' | 'manual' | 'api';

interface CollectionRow {
  id: number;
  code: string;
  kind: 'product' | 'list' | 'imported';
  list: string | null;
  /** For lists: whose row scope applies. */
  owner_id: number | null;
  state: string;
  active: boolean;
}

/** A list as its owner has it in one company. */
interface OwnersView {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
}

/** The data that decides which columns of a collection a reader gets. */
type Kept = (column: string) => boolean;

/** A page of a collection's rows. */
export interface RowsPage {
  rows: Record<string, unknown>[];
  count: number;
}

const OPEN = ['queued', 'running'];
const STATEMENT_S = 300;
const NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** Collections of figures: refreshed by jobs in one transaction, so that readers see either the old or the new rows. */
export class Collections {
  readonly #deps: CollectionsDeps;

  constructor(deps: CollectionsDeps) {
    this.#deps = deps;
    deps.jobs.define({
      name: 'analytics_refresh',
      title: 'Refresh a collection',
      run: ({ tenant, payload }) => this.#execute(tenant!, Number(payload.run_id)),
    });
  }

  /** Creates the predefined collections for a client. */
  async complete(tenant: Tenant): Promise<void> {
    await this.#deps.ensure(tenant, ['analytics_collection', 'analytics_run']);
    const { collections } = this.#deps.definitions;
    const table = tableName(tenant.schema, 'analytics_collection');
    await tenant.db.query(
      `insert into ${table} (code, title, description, kind, state, mode, key_fields, scheduled, schedule)
       select x.code, x.title, x.description, 'product', 'idle', 'full', x.key_fields, true, x.schedule
       from jsonb_to_recordset($1::jsonb) x(code text, title text, description text, key_fields text[], schedule text)
       where not exists (select 1 from ${table} c where lower(c.code) = x.code)`,
      [JSON.stringify(collections)],
    );
  }

  async byCode(tenant: Tenant, code: string): Promise<CollectionRow> {
    await this.#deps.ensure(tenant, ['analytics_collection', 'analytics_run']);
    const find = () =>
      tenant.db.query<CollectionRow>(
        `select id, code, kind, list, owner_id, state, active from ${tableName(tenant.schema, 'analytics_collection')} where lower(code) = lower($1)`,
        [code],
      );
    let [row] = await find();
    if (!row && this.#deps.definitions.collections.some((one) => one.code === code.toLowerCase())) {
      await this.complete(tenant);
      [row] = await find();
    }
    if (!row) throw notFound();
    return row;
  }

  async byId(tenant: Tenant, id: number): Promise<CollectionRow> {
    const [row] = await tenant.db.query<CollectionRow>(
      `select id, code, kind, list, owner_id, state, active from ${tableName(tenant.schema, 'analytics_collection')} where id = $1`,
      [id],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Queues a refresh. @throws AppError 409 if import jobs fill it, it is switched off, or a refresh is running */
  async start(
    tenant: Tenant,
    collection: CollectionRow,
    trigger: CollectionTrigger,
    by: number | null,
  ): Promise<number> {
    const { schema, db } = tenant;
    if (collection.kind === 'imported')
      throw new AppError(409, 'bad_state', `The collection ${collection.code} is filled by import jobs. Run those.`);
    if (!collection.active)
      throw new AppError(409, 'bad_state', `The collection ${collection.code} is switched off. Activate it first.`);
    const id = await db.transaction(async (tx) => {
      const [row] = await tx.query<{ state: string }>(
        `select state from ${tableName(schema, 'analytics_collection')} where id = $1 for update`,
        [collection.id],
      );
      if (!row) throw notFound();
      if (OPEN.includes(row.state))
        throw new AppError(409, 'bad_state', `A refresh of ${collection.code} is still running.`);
      const [run] = await tx.query<{ id: number }>(
        `insert into ${tableName(schema, 'analytics_run')} (name, collection_id, trigger, state, started_by, created_by, updated_by) values ('', $1, $2, 'queued', $3, $3, $3) returning id`,
        [collection.id, trigger, by],
      );
      await tx.query(`update ${tableName(schema, 'analytics_run')} set name = $2 where id = $1`, [
        run!.id,
        `${collection.code}/${run!.id}`,
      ]);
      await tx.query(`update ${tableName(schema, 'analytics_collection')} set state = 'queued' where id = $1`, [
        collection.id,
      ]);
      return run!.id;
    });
    await this.#deps.jobs.enqueue(
      schema,
      'analytics_refresh',
      { run_id: id },
      { key: `run/${id}`, ...(by !== null && { by }), trigger: by === null ? 'queued' : 'person' },
    );
    this.#deps.changed(tenant, 'analytics_collection', collection.id);
    return id;
  }

  /** Refreshes all collections that are not being refreshed. @returns the runs */
  async startAll(tenant: Tenant, by: number): Promise<number[]> {
    await this.complete(tenant);
    const rows = await tenant.db.query<CollectionRow>(
      `select id, code, kind, list, owner_id, state, active from ${tableName(tenant.schema, 'analytics_collection')} where active and kind <> 'imported' and state <> all($1) order by code`,
      [OPEN],
    );
    const runs: number[] = [];
    for (const row of rows) runs.push(await this.start(tenant, row, 'manual', by));
    return runs;
  }

  /** Stops a refresh; the collection stays as it was. */
  async cancel(tenant: Tenant, collection: CollectionRow): Promise<void> {
    const { schema, db } = tenant;
    const rows = await db.query(
      `update ${tableName(schema, 'analytics_run')} set state = 'cancelled', ended_at = now() where collection_id = $1 and state = any($2) returning 1`,
      [collection.id, OPEN],
    );
    if (rows.length === 0) throw new AppError(409, 'bad_state', 'No refresh of this collection is running.');
    await db.query(`update ${tableName(schema, 'analytics_collection')} set state = 'idle' where id = $1`, [
      collection.id,
    ]);
    this.#deps.changed(tenant, 'analytics_collection', collection.id);
  }

  /** Starts the due refreshes. @returns their number */
  async startDue(tenant: Tenant, now: Date): Promise<number> {
    await this.complete(tenant);
    const table = tableName(tenant.schema, 'analytics_collection');
    const due = await tenant.db.query<CollectionRow & { schedule: string; next_at: string | null }>(
      `select id, code, kind, list, owner_id, state, active, schedule, next_at from ${table} where active and scheduled and kind <> 'imported' and schedule is not null and (next_at is null or next_at <= $1)`,
      [now],
    );
    let started = 0;
    for (const row of due) {
      const taken = await tenant.db.query(
        `update ${table} set next_at = $2 where id = $1 and next_at is not distinct from $3 returning 1`,
        [row.id, nextRun(row.schedule, tenant.timezone, now), row.next_at],
      );
      if (row.next_at === null || taken.length === 0 || OPEN.includes(row.state)) continue;
      await this.start(tenant, row, 'schedule', null);
      started++;
    }
    return started;
  }

  /**
   * A collection of the records that a person sees in a list, created on first use; the last person who requests it
   * determines the row scope.
   */
  async ofList(tenant: Tenant, screen: Screen, ownerId: number): Promise<CollectionRow> {
    await this.#deps.ensure(tenant, ['analytics_collection', 'analytics_run', screen.name]);
    await tenant.db.query(
      `insert into ${tableName(tenant.schema, 'analytics_collection')} (code, title, kind, list, owner_id, state, mode, key_fields, scheduled) values ($1, $2, 'list', $3, $4, 'idle', 'full', '{id}', false)
       on conflict do nothing`,
      [`list_${screen.name}`.slice(0, 40), `List: ${screen.plural}`.slice(0, 120), screen.name, ownerId],
    );
    await tenant.db.query(
      `update ${tableName(tenant.schema, 'analytics_collection')} set owner_id = $2 where code = $1 and kind = 'list'`,
      [`list_${screen.name}`.slice(0, 40), ownerId],
    );
    return this.byCode(tenant, `list_${screen.name}`.slice(0, 40));
  }

  async #execute(tenant: Tenant, id: number): Promise<string> {
    const { schema, db } = tenant;
    const [runs, collections] = [tableName(schema, 'analytics_run'), tableName(schema, 'analytics_collection')];
    const [run] = await db.query<{ collection_id: number; name: string }>(
      `update ${runs} set state = 'running', started_at = now() where id = $1 and state = any($2) returning collection_id, name`,
      [id, OPEN],
    );
    if (!run) return 'The refresh was cancelled.';
    await db.query(`update ${collections} set state = 'running' where id = $1`, [run.collection_id]);
    const from = performance.now();
    const took = () => Math.round(performance.now() - from);
    try {
      const collection = await this.byId(tenant, run.collection_id);
      const statements = await this.#statements(tenant, collection);
      const count = await db.transaction(async (tx) => {
        await tx.query(`set local statement_timeout = '${STATEMENT_S}s'`);
        await tx.query(`delete from ${quoted(schema)}.collection_row where collection_id = $1`, [collection.id]);
        // The places of a row are columns of their own: who may see it is decided by them.
        for (const { sql, values } of statements)
          await tx.query(
            `insert into ${quoted(schema)}.collection_row (collection_id, key, entity_id, branch_id, employee_id, data)
             select $1, x.data ->> 'key', (x.data ->> 'entity_id')::bigint, (x.data ->> 'branch_id')::bigint, (x.data ->> 'employee_id')::bigint, x.data - '{key,entity_id,branch_id,employee_id}'::text[]
             from (select to_jsonb(q) as data from (${sql}) q) x on conflict (collection_id, key) do nothing`,
            values,
          );
        const [wanted] = await tx.query(`select 1 from ${runs} where id = $1 and state = 'running' for update`, [id]);
        if (!wanted) throw new Cancelled();
        const [row] = await tx.query<{ n: number }>(
          `select count(*)::int as n from ${quoted(schema)}.collection_row where collection_id = $1`,
          [collection.id],
        );
        await tx.query(
          `update ${collections} set state = 'idle', error = null, last_run_at = now(), row_count = $2, duration_ms = $3 where id = $1`,
          [collection.id, row!.n, took()],
        );
        await tx.query(
          `update ${runs} set state = 'succeeded', ended_at = now(), duration_ms = $2, row_count = $3 where id = $1`,
          [id, took(), row!.n],
        );
        return row!.n;
      });
      return `${run.name}: ${count} rows.`;
    } catch (error) {
      if (error instanceof Cancelled) return 'The refresh was cancelled.';
      const message = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
      await db.query(
        `update ${runs} set state = 'failed', ended_at = now(), duration_ms = $2, error = $3 where id = $1 and state = 'running'`,
        [id, took(), message],
      );
      await db.query(`update ${collections} set state = 'failed', error = $2 where id = $1`, [
        run.collection_id,
        message,
      ]);
      throw error;
    } finally {
      this.#deps.changed(tenant, 'analytics_collection', run.collection_id);
    }
  }

  /** The statements that fill a collection; their first parameter is its id. */
  async #statements(tenant: Tenant, collection: CollectionRow): Promise<{ sql: string; values: unknown[] }[]> {
    if (collection.kind === 'list') {
      await this.#deps.ensure(tenant, [collection.list ?? '']);
      return (await this.#ownersViews(tenant, collection)).map((view) => this.#listSql(tenant, collection, view));
    }
    const definition = this.#definition(collection);
    if (!definition)
      throw new AppError(422, 'invalid', `The product has no collection "${collection.code}" any more. Delete it.`);
    await this.#deps.ensure(tenant, definition.types);
    const today = `(now() at time zone ${literal(tenant.timezone)})::date`;
    const sql = definition.sql.replaceAll('{s}', quoted(tenant.schema)).replaceAll('{today}', today);
    return [{ sql, values: [collection.id] }];
  }

  #definition({ code }: CollectionRow) {
    return this.#deps.definitions.collections.find((one) => one.code === code.toLowerCase());
  }

  /** The list as its owner currently sees it, in each of their companies. @throws AppError 422 if they no longer may */
  async #ownersViews(tenant: Tenant, { id, list, owner_id: owner }: CollectionRow): Promise<OwnersView[]> {
    const product = this.#deps.screens().get(list ?? '');
    if (!product || product.scope === 'platform')
      throw new AppError(422, 'invalid', `There is no list "${list ?? ''}" any more.`);
    const inCompany = (entityId: number | null) =>
      owner === null ? null : this.#deps.store.ofPerson(tenant, owner, `collection/${id}/${owner}`, entityId);
    const anew = `Whoever may export ${product.plural} must ask for this collection again.`;
    const person = await inCompany(null);
    if (!person) throw new AppError(422, 'invalid', `The account whose rights it uses can no longer be used. ${anew}`);
    const views: OwnersView[] = [];
    for (const company of product.scope === 'entity' ? person.entityIds : [null]) {
      const session = await inCompany(company);
      if (!session) continue;
      const screens = await this.#deps.screensOf(session);
      const screen = screens.get(product.name);
      if (screen && !session.rights.refuse(screen, 'landing') && !session.rights.refuseAction('EXPORT_DATA'))
        views.push({ session, screen, screens });
    }
    if (views.length === 0)
      throw new AppError(
        422,
        'invalid',
        `The account whose rights it has may not export ${product.plural} any more. ${anew}`,
      );
    return views;
  }

  #listSql({ schema }: Tenant, { id }: CollectionRow, view: OwnersView): { sql: string; values: unknown[] } {
    const { session, screen, screens } = view;
    const fields = columnFields(screen.fields).filter(
      (field) =>
        !field.secret &&
        !field.custom &&
        !field.masked &&
        field.visible === undefined &&
        fieldType(field.type).can.excel,
    );
    const has = (name: string) => fields.some((field) => field.name === name && field.type === 'ref');
    const columns = fields
      .filter(({ name }) => !['key', 'entity_id', 'branch_id', 'employee_id'].includes(name))
      .map((field) => {
        const target = field.type === 'ref' ? screens.get(field.ref!.type) : undefined;
        const label =
          target && target.scope !== 'platform'
            ? target.fields.find(({ name }) => name === target.label[0])
            : undefined;
        if (!target || !label || label.ref || label.rows || label.masked)
          return `${columnSql(field, 't')} as ${quoted(field.name)}`;
        return `(select r.${quoted(label.name)}::text from ${tableName(schema, target.name)} r where r.id = t.${quoted(field.name)}) as ${quoted(field.name)}`;
      });
    const person = screen.name === 'employee' ? 't.id' : has('employee_id') ? 't.employee_id' : 'null::bigint';
    const values = new SqlParams();
    values.bind(id);
    const where = ['t.active', ...rowScope(session, screen, screens, 't', values)];
    const places = `t.id::text as key, ${screen.scope === 'entity' ? 't.entity_id' : 'null::bigint'} as entity_id, ${has('branch_id') ? 't.branch_id' : 'null::bigint'} as branch_id, ${person} as employee_id`;
    return {
      sql: `select ${[places, ...columns].join(', ')} from ${tableName(schema, screen.name)} t where ${where.join(' and ')}`,
      values: values.list,
    };
  }

  /** The columns of fields restricted for the reader: hidden, or masked. */
  async #kept(session: LiveSession, collection: CollectionRow): Promise<Kept> {
    const types = collection.kind === 'list' ? [collection.list ?? ''] : (this.#definition(collection)?.types ?? []);
    const screens = await this.#deps.screensOf(session);
    const kept = types.flatMap((type) => {
      const screen = screens.get(type);
      if (!screen) return [];
      const roles = session.rights.fieldAccess(screen);
      return [
        ...[...roles].flatMap(([name, access]) => (access === 'hidden' || access === 'masked' ? [name] : [])),
        ...screen.fields.flatMap(({ name, masked }) => (masked ? [name] : [])),
      ];
    });
    // A reference is named by its label: the column `branch` is of the field `branch_id`.
    const names = new Set(kept.flatMap((name) => [name, name.replace(/_id$/, '')]));
    return (column) => names.has(column);
  }

  /** For a list, the rows that the reader's own list would show. @throws AppError 403 */
  async #listed(session: Session, { kind, list }: CollectionRow, values: SqlParams): Promise<string[]> {
    if (kind !== 'list') return [];
    const screens = await this.#deps.screensOf(session);
    const screen = screens.get(list ?? '');
    if (!screen) throw notFound();
    const refusal = session.rights.refuse(screen, 'landing');
    if (refusal) throw new AppError(403, 'forbidden', refusal.message, { reason: refusal.reason });
    const where = ['t.active', ...rowScope(session, screen, screens, 't', values)];
    return [
      `c.key in (select t.id::text from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')})`,
    ];
  }

  /**
   * The part of a collection visible to a session: its company's rows and the shared ones, within its row scope
   * (platform.md §3.3).
   */
  async rows(
    session: LiveSession,
    screen: Screen,
    code: string,
    { filter, page, size }: { filter: Record<string, unknown>; page: number; size: number },
  ): Promise<RowsPage> {
    const collection = await this.byCode(session.tenant, code);
    const values = new SqlParams();
    values.bind(collection.id);
    const kept = await this.#kept(session, collection);
    const asked = Object.keys(filter).find(kept);
    if (asked !== undefined) throw keptFrom(asked);
    const where = [
      ...this.#visible(session, screen, values.list),
      ...(await this.#listed(session, collection, values)),
      ...filterSql(filter, values.list),
    ];
    const text = `from ${quoted(session.tenant.schema)}.collection_row c where c.collection_id = $1${where.map((one) => ` and ${one}`).join('')}`;
    const [rows, [count]] = await Promise.all([
      session.tenant.db.query<{ data: Record<string, unknown> }>(
        `select c.data ${text} order by c.key limit ${size} offset ${(page - 1) * size}`,
        values.list,
      ),
      session.tenant.db.query<{ n: number }>(`select count(*)::int as n ${text}`, values.list),
    ]);
    const shown = (data: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(data).filter(([name]) => !kept(name)));
    return { rows: rows.map(({ data }) => shown(data)), count: count?.n ?? 0 };
  }

  #visible(session: Session, screen: Screen, values: unknown[]): string[] {
    const bind = (value: unknown) => `$${values.push(value)}`;
    const scope = session.rights.isAdmin ? 'company' : session.rights.dataScope(screen);
    const companies =
      scope === 'all_companies' ? session.entityIds : session.entityId === null ? [] : [session.entityId];
    const conditions = [`(c.entity_id is null or c.entity_id = any(${bind(companies)}::bigint[]))`];
    if (scope === 'branch')
      conditions.push(`(c.branch_id is null or c.branch_id = any(${bind(session.branchIds)}::bigint[]))`);
    if (scope === 'own') conditions.push(`c.employee_id = ${bind(session.employeeId)}::bigint`);
    if (scope === 'team')
      conditions.push(
        `(c.employee_id = ${bind(session.employeeId)}::bigint or c.employee_id in (select descendant_id from ${treeTable(session.tenant.schema, 'employee')} where ancestor_id = ${bind(session.employeeId)}::bigint))`,
      );
    return conditions;
  }

  kpi(id: number): KpiDefinition | undefined {
    return this.#deps.definitions.kpis.find((one) => one.id === id);
  }

  /** A figure over time, as exact text; of figures without a day, today's. */
  async points(
    session: LiveSession,
    screen: Screen,
    kpi: KpiDefinition,
    from: string | null,
    to: string | null,
  ): Promise<{ date: string; value: string }[]> {
    const collection = await this.byCode(session.tenant, kpi.collection);
    const kept = await this.#kept(session, collection);
    const asked = [kpi.value, kpi.date, kpi.per, ...Object.keys(kpi.where ?? {})].find(
      (name) => name !== undefined && kept(name),
    );
    if (asked !== undefined) throw keptFrom(asked);
    const values: unknown[] = [collection.id];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const date =
      kpi.date === undefined
        ? `to_char(now() at time zone ${bind(placeOf(session).timezone)}, 'YYYY-MM-DD')`
        : `case when length(c.data ->> ${bind(kpi.date)}) = 7 then (c.data ->> ${bind(kpi.date)}) || '-01' else left(c.data ->> ${bind(kpi.date)}, 10) end`;
    const where = [
      ...this.#visible(session, screen, values),
      ...Object.entries(kpi.where ?? {}).map(([name, value]) => `c.data ->> ${bind(name)} = ${bind(value)}`),
    ];
    const limits = [
      ...(from === null ? [] : [`p.date >= ${bind(from)}`]),
      ...(to === null ? [] : [`p.date <= ${bind(to)}`]),
    ];
    return session.tenant.db.query<{ date: string; value: string }>(
      `select p.date, ${totalOf(kpi)} as value from (select ${date} as date, (c.data ->> ${bind(kpi.value)})::numeric as value, ${kpi.per === undefined ? 'null::numeric' : `(c.data ->> ${bind(kpi.per)})::numeric`} as base
         from ${quoted(session.tenant.schema)}.collection_row c where c.collection_id = $1${where.map((one) => ` and ${one}`).join('')}) p
       ${limits.length > 0 ? `where ${limits.join(' and ')}` : ''} group by p.date order by p.date`,
      values,
    );
  }
}

class Cancelled extends Error {}

function keptFrom(column: string): AppError {
  return new AppError(403, 'forbidden', `This would reveal "${column}", which you may not see.`, {
    reason: 'field',
  });
}

/** `{"branch": "Chennai", "members": {"gte": 5}}`: equal, or compared by an operator. */
function filterSql(filter: Record<string, unknown>, values: unknown[]): string[] {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const operators: Record<string, string> = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
  const bad = (name: string) =>
    new AppError(
      400,
      'bad_filter',
      `The filter on "${name}" cannot be read. Write a value, a list of values, or {"gte": value}.`,
      { field: 'filter' },
    );
  return Object.entries(filter).flatMap(([name, wanted]) => {
    if (!NAME.test(name)) throw bad(name);
    const column = `c.data ->> ${bind(name)}`;
    if (wanted === null) return [`${column} is null`];
    if (Array.isArray(wanted)) return [`${column} = any(${bind(wanted.map(String))}::text[])`];
    if (typeof wanted !== 'object') return [`${column} = ${bind(String(wanted))}`];
    return Object.entries(wanted as Record<string, unknown>).map(([word, value]) => {
      const operator = operators[word];
      if (operator === undefined || value === null || typeof value === 'object') throw bad(name);
      // Numbers are compared numerically, everything else as text.
      return typeof value === 'number'
        ? `(case when ${column} ~ '^-?[0-9]+(\\.[0-9]+)?$' then (${column})::numeric ${operator} ${bind(String(value))}::numeric else false end)`
        : `${column} ${operator} ${bind(String(value))}`;
    });
  });
}
