import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstYear, yearSpan } from '../../../descriptor/financial_year.ts';
import { USUAL_PLACE } from '../../../descriptor/place.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';
import { columnFields } from '../../db/columns.ts';
import { seriesOf } from '../../engine/records/numbering.ts';
import { findErrors, prepare } from '../../engine/records/validate_record.ts';
import { addDays, addMonths } from './dates.ts';
import type { DemoAnswers } from './demo_answers.ts';
import type { Row } from './shapes.ts';
import { writeRows } from './write_tenant.ts';

type Given = Record<string, unknown>;

/**
 * A file `demo/<module>/<type>.json`: realistic records of one type, with references as codes or names. Records of other
 * companies are in a further file, `<type>.<company>.json`.
 */
export interface DemoFile {
  type: string;
  file: string;
  /** Codes of the companies that get the rows; undefined = all. */
  companies?: string[];
  rows: Given[];
}

/** Reads all files below `dir`. @throws Error naming an invalid file */
export function readDemoFiles(dir: string): DemoFile[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const found = JSON.parse(readFileSync(join(dir, file), 'utf8')) as
        | Given[]
        | { companies?: string[]; rows: Given[] };
      const { companies, rows } = Array.isArray(found) ? { rows: found, companies: undefined } : found;
      if (!Array.isArray(rows))
        throw new Error(`demo/${file}: write an array of rows, or { "companies": […], "rows": […] }.`);
      return {
        type: file.replace(/^.*[/\\]/, '').replace(/\..*$/, ''),
        file: `demo/${file}`,
        ...(companies && { companies }),
        rows,
      };
    });
}

/** Sorts types after the types that they refer to, as far as possible. */
function inOrder(files: DemoFile[], screens: ReadonlyMap<string, Screen>): DemoFile[] {
  const byType = Map.groupBy(files, ({ type }) => type);
  const ordered = new Set<DemoFile>();
  const visit = (file: DemoFile, above: ReadonlySet<string>): void => {
    if (ordered.has(file)) return;
    for (const field of usedFields(screens.get(file.type)?.fields ?? [], file.rows)) {
      if (!field.ref || field.ref.type === file.type || above.has(field.ref.type)) continue;
      for (const next of byType.get(field.ref.type) ?? []) visit(next, new Set([...above, file.type]));
    }
    ordered.add(file);
  };
  for (const file of files) visit(file, new Set([file.type]));
  return [...ordered];
}

/** The fields and child columns that have a value in any row. */
function usedFields(fields: Field[], rows: Given[]): Field[] {
  return fields.flatMap((field) => {
    const given = rows.filter((row) => field.name in row);
    if (given.length === 0) return [];
    return field.rows
      ? usedFields(
          field.rows,
          given.flatMap((row) => row[field.name] as Given[]),
        )
      : [field];
  });
}

/**
 * 2026-11-21 and `today-30d`, `today+2m`, `today-1y`, `fy-start`, `fy-end`, several steps in sequence
 * (`today-7m+12m-1d`), of which `@month` is the first day of the month (`today@month-1m`: that of the month before), each optionally followed by a time; `now-25min`; `month-2` is the month before the last one, as YYYY-MM.
 */
export function demoDate(text: string, today: string, fyStartMonth: number): string {
  const ago = /^now-(\d+)min$/.exec(text);
  if (ago) return new Date(Date.now() - Number(ago[1]) * 60_000).toISOString();
  const month = /^month(-\d+)?$/.exec(text);
  if (month) return addMonths(`${today.slice(0, 8)}01`, Number(month[1] ?? 0)).slice(0, 7);
  const [, word = '', steps = '', time] =
    /^(today|fy-start|fy-end)((?:[+-]\d+[dmy]|@month)*)(?: (\d\d:\d\d))?$/.exec(text) ?? [];
  if (!word) return text;
  const year = yearSpan(firstYear(today, fyStartMonth), fyStartMonth);
  let day = word === 'today' ? today : word === 'fy-start' ? year.from : year.to;
  for (const [, step, unit] of steps.matchAll(/([+-]\d+)([dmy])|@month/g)) {
    const by = Number(step);
    if (unit === undefined) day = `${day.slice(0, 8)}01`;
    else day = unit === 'm' ? addMonths(day, by) : unit === 'y' ? addMonths(day, by * 12) : addDays(day, by);
  }
  return time ? `${day}T${time}:00+05:30` : day;
}

/** Resolves the days of demo rows, in the financial year of their company. */
function demoDays(today: string, fyStartMonth = USUAL_PLACE.fyStartMonth): (text: string) => string {
  return (text) => demoDate(text, today, fyStartMonth);
}

/** The possible names of a referenced record: any single-field key, its code, or its first label. */
function namesOf(screen: Screen): string[] {
  return [
    ...new Set([...screen.unique.filter((key) => key.length === 1).flat(), 'code', ...screen.label.slice(0, 1)]),
  ].filter((name) => screen.fields.some((field) => field.name === name && !field.rows));
}

/** Finds records by name. */
class Known {
  private readonly types = new Map<string, Map<string, number>>();
  private readonly db: Queryable;
  private readonly schema: string;
  private readonly screens: ReadonlyMap<string, Screen>;

  constructor(db: Queryable, schema: string, screens: ReadonlyMap<string, Screen>) {
    this.db = db;
    this.schema = schema;
    this.screens = screens;
  }

  async load(type: string): Promise<void> {
    const screen = this.screens.get(type);
    if (this.types.has(type) || !screen) return;
    const ids = new Map<string, number>();
    this.types.set(type, ids);
    const names = namesOf(screen);
    const rows = await this.db.query<Row>(
      `select id${screen.scope === 'entity' ? ', entity_id' : ''}${names.map((name) => `, ${quoted(name)}::text as ${quoted(name)}`).join('')} from ${tableName(this.schema, type)} order by id`,
    );
    for (const row of rows) this.add(screen, row);
  }

  /** The first of several records with the same name: the Aurangabad of the larger state. */
  add(screen: Screen, row: Row): void {
    const ids = this.types.get(screen.name);
    for (const name of namesOf(screen)) {
      if (typeof row[name] !== 'string' && typeof row[name] !== 'number') continue;
      for (const key of [`${row.entity_id ?? ''}/${row[name]}`, `any/${row[name]}`])
        if (ids && !ids.has(key)) ids.set(key, row.id);
    }
  }

  /** If a part's name is that of another record, it is found by that record's name. */
  alias(screen: Screen, row: Row, given: Given): void {
    const name = given[screen.label[0] ?? ''];
    const ids = this.types.get(screen.name) ?? new Map<string, number>();
    this.types.set(screen.name, ids);
    for (const key of [`${row.entity_id ?? ''}/${String(name)}`, `any/${String(name)}`])
      if (typeof name === 'string' && !ids.has(key)) ids.set(key, row.id);
  }

  find(type: string, name: string, company: number | null, acrossCompanies: boolean): number | undefined {
    const ids = this.types.get(type);
    const scoped = this.screens.get(type)?.scope === 'entity';
    return (
      ids?.get(`${scoped ? (company ?? '') : ''}/${name}`) ??
      (acrossCompanies || !scoped || company === null ? ids?.get(`any/${name}`) : undefined)
    );
  }
}

/**
 * Writes the rows of the files into a demo tenant with existing companies. Every row passes the product's checks. Types
 * without a descriptor are skipped; existing rows of a type stay.
 * @param scope which types: those of a tenant, or those of the platform
 * @param answers receives the answers to questionnaires, which are written once these are published
 * @returns the number of records
 * @throws Error naming file, row and field
 */
export async function writeDemoFiles(
  db: Queryable,
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  files: DemoFile[],
  today: string,
  scope: 'tenant' | 'platform' = 'tenant',
  answers: DemoAnswers[] = [],
): Promise<number> {
  const { schema } = tenant;
  const companies =
    scope === 'platform'
      ? []
      : await db.query<{ id: number; code: string; start: number }>(
          `select id, code, fy_start_month as start from ${tableName(schema, 'entity')} order by id`,
        );
  const known = new Known(db, schema, screens);
  let count = 0;
  for (const { type, file, rows, companies: only } of inOrder(files, screens)) {
    const screen = screens.get(type);
    if (!screen || (screen.scope === 'platform') !== (scope === 'platform')) continue;
    for (const field of screen.fields.flatMap((one) => one.rows ?? [one]))
      if (field.ref) await known.load(field.ref.type);
    await known.load(type);
    const open = writable(
      screen,
      rows.map((row) => withoutAnswers(screen, row)[0]),
    );
    let next = (
      await db.query<{ last: number }>(`select coalesce(max(id), 0)::int as last from ${tableName(schema, type)}`)
    )[0]!.last;
    const made: Row[] = [];
    const parts = await PartRows.of(db, schema, screen, screens);
    for (const company of screen.scope === 'entity'
      ? companies.filter(({ code }) => !only || only.includes(code))
      : [null]) {
      const rule = screen.number ?? screen.numberAt;
      const series = rule
        ? await seriesOf(
            db,
            { tenant, entityId: company?.id ?? null } as Session,
            { ...screen, number: rule } as Screen,
            screens,
          )
        : undefined;
      for (const [index, whole] of rows.entries()) {
        const [given, said] = withoutAnswers(screen, whole);
        const where = `${file}, row ${index + 1}${company ? ` (${company.code})` : ''}`;
        const input = resolved(
          screen.fields,
          given,
          demoDays(today, (company ?? companies[0])?.start),
          (field, name) => {
            const id = known.find(
              field.ref!.type,
              name,
              company?.id ?? null,
              field.ref!.acrossCompanies === true || screen.scope !== 'entity',
            );
            if (id === undefined)
              throw new Error(`${where}: there is no ${field.ref!.type} "${name}" for ${field.name}.`);
            return id;
          },
        );
        const { record, errors } = prepare(open, input, null);
        const found = [...errors, ...findErrors(open, record)].filter(({ field }) => field !== screen.number?.field);
        if (found.length > 0)
          throw new Error(`${where}: ${found.map(({ field, message }) => `${field}: ${message}`).join(' ')}`);
        const row: Row = { ...stored(screen.fields, record), id: ++next, ...(company && { entity_id: company.id }) };
        if (rule && series && (row[rule.field] ?? null) === null && hasNumber(screen, record))
          row[rule.field] = await numbered(db, schema, await series(record));
        known.add(screen, row);
        made.push(row);
        for (const [part, own, at] of parts.add(row)) known.alias(part, own, (given[at.field] as Given[])[at.place]!);
        for (const [field, values] of said)
          answers.push({ type, id: next, company: company?.id ?? null, field, values });
      }
    }
    await writeRows(db, schema, screens, new Map([[type, made], ...parts.rows]));
    await startClocks(db, schema, screen, made);
    count += made.length;
  }
  return count;
}

/** Rows that are separate records of another type, written with their parent. */
class PartRows {
  readonly rows: Map<string, Row[]>;
  readonly #fields: { field: string; by: string; part: Screen }[];
  readonly #next: Map<string, number>;

  private constructor(fields: { field: string; by: string; part: Screen }[], next: Map<string, number>) {
    this.#fields = fields;
    this.#next = next;
    this.rows = new Map(fields.map(({ part }) => [part.name, []]));
  }

  static async of(
    db: Queryable,
    schema: string,
    screen: Screen,
    screens: ReadonlyMap<string, Screen>,
  ): Promise<PartRows> {
    const fields = screen.fields.flatMap(({ name, part }) =>
      part && screens.has(part.type) ? [{ field: name, by: part.by, part: screens.get(part.type)! }] : [],
    );
    const next = new Map<string, number>();
    for (const { part } of fields) {
      const [row] = await db.query<{ last: number }>(
        `select coalesce(max(id), 0)::int as last from ${tableName(schema, part.name)}`,
      );
      next.set(part.name, row!.last);
    }
    return new PartRows(fields, next);
  }

  /** @returns the parts of a record, with their place in its rows */
  add(record: Row): [Screen, Row, { field: string; place: number }][] {
    return this.#fields.flatMap(({ field, by, part }) =>
      ((record[field] as Given[] | undefined) ?? []).map(
        (given, place): [Screen, Row, { field: string; place: number }] => {
          const id = this.#next.get(part.name)! + 1;
          this.#next.set(part.name, id);
          const row: Row = {
            ...stored(part.fields, given),
            id,
            entity_id: record.entity_id,
            [by]: record.id,
            position: place,
          };
          this.rows.get(part.name)!.push(row);
          return [part, row, { field, place }];
        },
      ),
    );
  }
}

/** The next sweep computes the running and the paused clocks of these records; a pause began an hour after the clocks. */
async function startClocks(db: Queryable, schema: string, screen: Screen, rows: Row[]): Promise<void> {
  const { clocks = [], workflow } = screen;
  const stateOf = (row: Row) => String(row[workflow!.field]);
  const isPaused = (row: Row) =>
    clocks.some(({ pauses, runs }) => stateOf(row) in pauses && !runs.includes(stateOf(row)));
  for (const { name, runs } of clocks) {
    const ids = rows.flatMap((row) => (runs.includes(stateOf(row)) || isPaused(row) ? [row.id] : []));
    if (ids.length > 0)
      await db.query({
        text: `insert into ${quoted(schema)}.record_clock (record_type, record_id, clock, calendar, bands, set_by, holders, fired, next_at)
          select $1, id, $2, 'null', '[]', '[]', '[]', '{}', now() from unnest($3::bigint[]) id on conflict do nothing`,
        values: [screen.name, name, ids],
      });
  }
  const begins = clocks.find(({ from }) => from !== undefined)?.from;
  for (const row of rows.filter(isPaused)) {
    const step = workflow!.transitions.find(({ to }) => to === stateOf(row));
    if (!step || begins === undefined) continue;
    await db.query({
      text: `insert into ${quoted(schema)}.transition_log (record_type, record_id, transition, from_state, to_state, at)
        values ($1, $2, $3, $4, $5, least($6::timestamptz + interval '1 hour', now()))`,
      values: [screen.name, row.id, step.name, step.from[0], step.to, row[begins]],
    });
  }
}

/** The values of a row, and its answers to questionnaires by field. */
function withoutAnswers({ fields }: Screen, given: Given): [Given, [string, Given][]] {
  const isAnswers = (name: string) => fields.some((field) => field.name === name && field.type === 'answers');
  const all = Object.entries(given);
  return [
    Object.fromEntries(all.filter(([name]) => !isAnswers(name))),
    all.filter((one): one is [string, Given] => isAnswers(one[0])),
  ];
}

/** Whether a record has its number: from the start, or after leaving its first state. */
function hasNumber({ number, workflow }: Screen, record: Given): boolean {
  return number !== undefined || (workflow !== undefined && record[workflow.field] !== workflow.states[0]!.name);
}

/**
 * The type with read-only fields made writable if rows have values for them, because the demo sets what the product
 * usually computes.
 */
function writable(screen: Screen, rows: Given[]): Screen {
  return { ...screen, fields: opened(screen.fields, rows) };
}

function opened(fields: Field[], rows: Given[]): Field[] {
  return fields.map((field) => {
    const given = rows.filter((row) => field.name in row);
    if (given.length === 0 || field.formula !== undefined) return field;
    if (field.rows)
      return {
        ...field,
        readOnly: false,
        rows: opened(
          field.rows,
          given.flatMap((row) => row[field.name] as Given[]),
        ),
      };
    return field.readOnly ? { ...field, readOnly: false } : field;
  });
}

async function numbered(
  db: Queryable,
  schema: string,
  { key, before, width, after }: { key: string; before: string; width: number; after: string },
): Promise<string> {
  const [row] = await db.query<{ value: number }>({
    text: `insert into ${quoted(schema)}.number_counter (key, value) values ($1, 1) on conflict (key) do update set value = number_counter.value + 1 returning value::int`,
    values: [key],
  });
  return `${before}${String(row!.value).padStart(width, '0')}${after}`;
}

/** Resolves names to ids and day expressions to days. */
function resolved(
  fields: Field[],
  given: Given,
  dateOf: (text: string) => string,
  find: (field: Field, name: string) => number,
): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = fields.find((one) => one.name === name);
      if (field?.rows && Array.isArray(value))
        return [name, (value as Given[]).map((row) => resolved(field.rows!, row, dateOf, find))];
      if (field?.ref && typeof value === 'string') return [name, find(field, value)];
      if (field?.ref && Array.isArray(value)) return [name, (value as string[]).map((one) => find(field, one))];
      if (typeof value === 'string' && ['date', 'datetime', 'month'].includes(field?.type ?? ''))
        return [name, dateOf(value)];
      return [name, value];
    }),
  );
}

/** Converts columns and child rows to the form of the tables. */
function stored(fields: Field[], record: Given): Given {
  return Object.fromEntries([
    ...columnFields(fields).map(({ name }) => [name, record[name] ?? null] as const),
    ...fields
      .filter((field) => field.rows)
      .map((field) => [field.name, (record[field.name] as Given[] | null) ?? []] as const),
  ]);
}
