import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { literal, quoted, tableName } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { columnFields, columnSql } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { SessionStore } from '../../access/sessions/session_store.ts';
import { nextRun } from '../sync/due_jobs.ts';
import { storeQuestions } from './collection_questions.ts';
import type { CollectionRow } from './collection_reader.ts';
import { collectionById } from './collection_reader.ts';
import type { Definitions } from './definitions.ts';

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

/** A list as its owner has it in one company. */
interface OwnersView {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
}

const OPEN = ['queued', 'running'];
const STATEMENT_S = 300;

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
        `select id, code, kind, list, owner_id, state, active, last_run_at from ${tableName(tenant.schema, 'analytics_collection')} where lower(code) = lower($1)`,
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
      `select id, code, kind, list, owner_id, state, active, last_run_at from ${tableName(tenant.schema, 'analytics_collection')} where active and kind <> 'imported' and state <> all($1) order by code`,
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
      `select id, code, kind, list, owner_id, state, active, last_run_at, schedule, next_at from ${table} where active and scheduled and kind <> 'imported' and schedule is not null and (next_at is null or next_at <= $1)`,
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
      const collection = await collectionById(tenant, run.collection_id);
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
        await storeQuestions(tx, schema, collection.id);
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
}

class Cancelled extends Error {}
