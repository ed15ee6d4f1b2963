import { dayIn, dayOfMoment } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type {
  CollectionFigure,
  CollectionMeasure,
  CollectionPart,
  CollectionQuestion,
} from '../../../domain/review/collection_question.ts';
import { closedPeriods } from '../../../domain/review/closed_periods.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { rowScope } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import { totalOf } from './client_figures.ts';
import type { Definitions, KpiDefinition } from './definitions.ts';

export interface CollectionRow {
  id: number;
  code: string;
  kind: 'product' | 'list' | 'imported';
  list: string | null;
  /** For lists: whose row scope applies. */
  owner_id: number | null;
  state: string;
  active: boolean;
  last_run_at: string | Date | null;
}

/** The data that decides which columns of a collection a reader gets. */
type Kept = (column: string) => boolean;

/** A page of a collection's rows. */
export interface RowsPage {
  rows: Record<string, unknown>[];
  count: number;
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/;
/** Screens that show figures of collections: people with any of them may read the collections. */
const READERS = ['SCN_ANALYTICS', 'SCN_INVENTORY_DASHBOARD', 'SCN_SALES_DASHBOARD', 'SCN_TRIGGER_ANALYTICS'];

export async function collectionById(tenant: Tenant, id: number): Promise<CollectionRow> {
  const [row] = await tenant.db.query<CollectionRow>(
    `select id, code, kind, list, owner_id, state, active, last_run_at from ${tableName(tenant.schema, 'analytics_collection')} where id = $1`,
    [id],
  );
  if (!row) throw notFound();
  return row;
}

/** Reads collections: every row and column with the rights of the reader. */
export class CollectionReader {
  readonly #definitions: Definitions;
  readonly #screensOf: (session: Session) => Promise<Map<string, Screen>>;

  /** `screensOf`: the screens as a session has them, without the fields that are kept from it. */
  constructor(definitions: Definitions, screensOf: (session: Session) => Promise<Map<string, Screen>>) {
    this.#definitions = definitions;
    this.#screensOf = screensOf;
  }

  /** The screen by whose rights a person reads collections. @throws AppError 403, 404 */
  async screenOf(session: Session): Promise<Screen> {
    const screen = (await this.#screensOf(session)).get('analytics_collection');
    if (!screen || session.tenant.schema === 'public') throw notFound();
    const read = { ...screen, access: { ...screen.access, screens: READERS, modules: ['DASHBOARD', 'SETTINGS'] } };
    authorize(session, read, 'landing');
    return read;
  }

  /** The columns of fields restricted for the reader: hidden, or masked. */
  async #kept(session: LiveSession, collection: CollectionRow): Promise<Kept> {
    const types =
      collection.kind === 'list'
        ? [collection.list ?? '']
        : (this.#definitions.collections.find(({ code }) => code === collection.code.toLowerCase())?.types ?? []);
    const screens = await this.#screensOf(session);
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
    const screens = await this.#screensOf(session);
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
    collection: CollectionRow,
    { filter, page, size }: { filter: Record<string, unknown>; page: number; size: number },
  ): Promise<RowsPage> {
    const values = new SqlParams();
    values.bind(collection.id);
    const kept = await this.#allowed(session, collection, Object.keys(filter));
    const where = [...(await this.#readable(session, collection, values)), ...filterSql(filter, values.list)];
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

  /** Refuses to use columns that are kept from the reader. @returns which are @throws AppError 403 */
  async #allowed(session: LiveSession, collection: CollectionRow, used: readonly string[]): Promise<Kept> {
    const kept = await this.#kept(session, collection);
    const asked = used.find(kept);
    if (asked !== undefined) throw keptFrom(asked);
    return kept;
  }

  /** The conditions of the rows that a person may read. @throws AppError 403, 404 */
  async #readable(session: LiveSession, collection: CollectionRow, values: SqlParams): Promise<string[]> {
    const screen = await this.screenOf(session);
    return [...this.#visible(session, screen, values.list), ...(await this.#listed(session, collection, values))];
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

  /** A figure over time, as exact text; of figures without a day, today's. */
  async points(
    session: LiveSession,
    collection: CollectionRow,
    kpi: KpiDefinition,
    from: string | null,
    to: string | null,
  ): Promise<{ date: string; value: string }[]> {
    const { value, date: dated, per, where: only = {} } = kpi;
    await this.#allowed(
      session,
      collection,
      [value, dated, per, ...Object.keys(only)].filter((name) => name !== undefined),
    );
    const values = new SqlParams();
    values.bind(collection.id);
    const bind = (one: unknown) => values.bind(one);
    const date =
      dated === undefined
        ? `to_char(now() at time zone ${bind(placeOf(session).timezone)}, 'YYYY-MM-DD')`
        : dayOf(`c.data ->> ${bind(dated)}`);
    const where = [
      ...(await this.#readable(session, collection, values)),
      ...Object.entries(only).map(([name, one]) => `c.data ->> ${bind(name)} = ${bind(one)}`),
    ];
    const limits = [
      ...(from === null ? [] : [`p.date >= ${bind(from)}`]),
      ...(to === null ? [] : [`p.date <= ${bind(to)}`]),
    ];
    return session.tenant.db.query<{ date: string; value: string }>(
      `select p.date, ${totalOf(kpi)} as value from (select ${date} as date, (c.data ->> ${bind(value)})::numeric as value, ${per === undefined ? 'null::numeric' : `(c.data ->> ${bind(per)})::numeric`} as base
         from ${quoted(session.tenant.schema)}.collection_row c where c.collection_id = $1${where.map((one) => ` and ${one}`).join('')}) p
       ${limits.length > 0 ? `where ${limits.join(' and ')}` : ''} group by p.date order by p.date`,
      values.list,
    );
  }

  /**
   * A figure over the rows that a person may read, of each of the last `count` periods that were complete when the
   * collection was filled, oldest first. Without a date it is one figure of all rows. @throws AppError 403, 404
   */
  async figures(
    session: LiveSession,
    id: number,
    question: CollectionQuestion,
    count: number,
  ): Promise<CollectionFigure[]> {
    const whole = await this.parts(session, id, { ...question, by: null }, count);
    return whole.map(({ first, value }) => ({ first, value }));
  }

  /** The same for each value of the column that divides the figure. @throws AppError 403, 404 */
  async parts(
    session: LiveSession,
    id: number,
    { measure, dated, period, by, only }: CollectionQuestion,
    count: number,
  ): Promise<CollectionPart[]> {
    const { timezone } = placeOf(session);
    const collection = await collectionById(session.tenant, id);
    if (!collection.active || collection.last_run_at === null) return [];
    await this.#allowed(session, collection, [
      ...(measure.way === 'rows' ? [] : [measure.column]),
      ...(dated === null ? [] : [dated]),
      ...(by === null ? [] : [by]),
      ...only.map(([name]) => name),
    ]);
    const values = new SqlParams();
    values.bind(collection.id);
    const column = (name: string) => `c.data ->> ${values.bind(name)}`;
    const where = [
      ...(await this.#readable(session, collection, values)),
      ...only.map(([name, wanted]) => `${column(name)} = any(${values.bind(wanted)}::text[])`),
    ];
    const part = by === null ? 'null::text' : column(by);
    const amount = measure.way === 'rows' ? 'null::numeric' : numberOf(column(measure.column));
    const rows = `from ${quoted(session.tenant.schema)}.collection_row c where c.collection_id = $1${where.map((one) => ` and ${one}`).join('')}`;
    if (dated === null)
      return this.#filled(
        await session.tenant.db.query(
          `select null as first, ${by === null ? 'null' : 'd.part'} as part, ${together(measure, false)} as value
           from (select ${by === null ? '' : 'x.part, '}count(*) as n, sum(x.value) as total, count(x.value) as k, max(x.value) as most, min(x.value) as least
             from (select ${part} as part, ${amount} as value ${rows}) x ${by === null ? '' : 'group by x.part'}) d`,
          values.list,
        ),
      );
    const filled = dayOfMoment(timezone, new Date(collection.last_run_at).getTime());
    const today = dayIn(timezone);
    const periods = closedPeriods(period, filled < today ? filled : today, count);
    const day = column(dated);
    return this.#filled(
      await session.tenant.db.query(
        `with d as materialized (select x.day, x.part, count(*) as n, sum(x.value) as total, count(x.value) as k, max(x.value) as most, min(x.value) as least
             from (select ${dayOf(day)} as day, ${part} as part, ${amount} as value ${rows} and ${day} ~ '^[0-9]{4}-[0-9]{2}(-[0-9]{2}|$)') x group by 1, 2)
         select p.first, g.part, ${together(measure, true)} as value
         from unnest(${values.bind(periods.map(({ first }) => first))}::text[], ${values.bind(periods.map(({ next }) => next))}::text[]) p(first, next)
         cross join (select distinct part from d) g
         left join d on d.part is not distinct from g.part and d.day >= p.first and d.day < p.next
         where p.next > (select min(day) from d) group by p.first, g.part order by p.first, g.part`,
        values.list,
      ),
    );
  }

  /** Periods without a value say nothing, unlike those with the value 0. */
  #filled(figures: { first: string | null; part: string | null; value: string | null }[]): CollectionPart[] {
    return figures.flatMap(({ first, part, value }) => (value === null ? [] : [{ first, part, value }]));
  }
}

/** The day of a row as text; a month is its first day. */
function dayOf(column: string): string {
  return `case when length(${column}) = 7 then (${column}) || '-01' else left(${column}, 10) end`;
}

/** Imported rows contain texts: non-numeric ones are ignored. */
function numberOf(column: string): string {
  return `case when ${column} ~ '^-?[0-9]+(\\.[0-9]+)?$' then (${column})::numeric end`;
}

/** The figure of several days `d`: without rows a number or a sum is 0, anything else unknown. */
function together({ way }: CollectionMeasure, isGrouped: boolean): string {
  const all = (one: string) => (isGrouped ? `sum(d.${one})` : `d.${one}`);
  const figure = {
    rows: `coalesce(${all('n')}, 0)`,
    sum: `coalesce(${all('total')}, 0)`,
    average: `round(${all('total')} / nullif(${all('k')}, 0), 6)`,
    highest: isGrouped ? 'max(d.most)' : 'd.most',
    lowest: isGrouped ? 'min(d.least)' : 'd.least',
  }[way];
  return `${figure}::text`;
}

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
