import { Decimal } from 'decimal.js';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { IS_CURRENT } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { columnSql } from '../../db/columns.ts';
import { childTable, tableName } from '../../db/tables.ts';
import { changeOf } from '../records/history.ts';
import { readRecords } from '../records/read.ts';
import type { RowsSheet } from './rows_sheets.ts';
import { idInNumber, numberField } from './sheet_number.ts';

/** The number of rows per statement, and between two checks for cancellation. */
export const SLICE = 5_000;

/** The stored records that rows of a sheet refer to, and the changes to them. */
export class StoredRecords {
  readonly #session: Session;
  readonly #screen: Screen;
  readonly #screens: Map<string, Screen>;
  readonly #moments: Set<string>;
  readonly #amounts: Set<string>;
  /** The values that identify the record of a row. */
  readonly keys: string[][];
  /** Values of a key that a row does not contain: the importing person, if a field refers to them. */
  own: Record<string, unknown> = {};

  constructor(session: Session, screen: Screen, screens: Map<string, Screen>) {
    this.#session = session;
    this.#screen = screen;
    this.#screens = screens;
    const rule = screen.number ?? screen.numberAt;
    const numbers = rule ? [...(rule.per ?? []), rule.field] : null;
    this.keys = [
      ...screen.unique,
      ...(numbers && !screen.unique.some((key) => key.join() === numbers.join()) ? [numbers] : []),
    ];
    const named = (is: (field: Field) => boolean) => new Set(screen.fields.filter(is).map(({ name }) => name));
    this.#moments = named((field) => field.type === 'datetime' && !field.seconds);
    this.#amounts = named(({ type }) => fieldType(type).can.exact);
  }

  /** The values of a key as comparable text; null = incomplete. */
  keyText(key: string[], given: Record<string, unknown>): string | null {
    const parts = key.map((name) => {
      const value = name in given ? given[name] : this.own[name];
      return this.#moments.has(name) && value !== null && value !== undefined ? minuteOf(value) : value;
    });
    if (!this.#emptyCounts(key) && parts.some((part) => part === null || part === undefined)) return null;
    return JSON.stringify(
      parts.map((part) => (part === null || part === undefined ? null : String(part).toLowerCase())),
    );
  }

  /** The stored records that rows of the sheet refer to, by the first unique key whose fields the row fills. */
  async find(
    records: Record<string, unknown>[],
    rowsSheets: readonly RowsSheet[],
  ): Promise<{ find(record: Record<string, unknown>): { id: number; values: Record<string, unknown> } | undefined }> {
    const stored = new Map<string, { id: number; values: Record<string, unknown> }>();
    const columns = this.#screen.fields
      .filter((field) => !field.rows && !field.secret)
      .map((field) => `${columnSql(field, 't')} as "${field.name}"`);
    const ofCompany = this.#screen.scope === 'entity';
    const read = (where: string, wanted: readonly unknown[]) =>
      this.#session.tenant.db.query<Record<string, unknown>>(
        `select t.id, ${columns.join(', ')} from ${tableName(this.#session.tenant.schema, this.#screen.name)} t
         where ${where} = any($1)${ofCompany ? ' and entity_id = $2' : ''}`,
        [wanted, ...(ofCompany ? [this.#session.entityId] : [])],
      );
    /** Two at a time: the database works while the previous result is processed. */
    const lookUp = async (where: string, values: Iterable<unknown>, found: (row: Record<string, unknown>) => void) => {
      const waiting = slicesOf([...values]);
      const look = async (): Promise<void> => {
        for (let slice = waiting.shift(); slice; slice = waiting.shift())
          for (const row of await read(where, slice)) found(row);
      };
      await Promise.all([look(), look()]);
    };
    for (const key of this.keys) {
      const first = key[0]!;
      const values = new Set(
        records.flatMap((record) =>
          this.keyText(key, record) === null ? [] : [String(record[first] ?? this.own[first] ?? '').toLowerCase()],
        ),
      );
      const text = `lower(t."${first}"::text)`;
      await lookUp(this.#emptyCounts(key) ? `coalesce(${text}, '')` : text, values, ({ id, ...row }) => {
        const own = this.keyText(key, row);
        // A number refers to the current revision.
        const means = !key.includes(numberField(this.#screen) ?? '') || row[IS_CURRENT] !== false;
        if (own !== null && means) stored.set(`${key.join()}=${own}`, { id: id as number, values: row });
      });
    }
    const ids = new Set(records.flatMap((record) => idInNumber(this.#screen, record) ?? []));
    await lookUp('t.id', ids, ({ id, ...row }) => stored.set(`#${String(id)}`, { id: id as number, values: row }));
    await this.#addChildRows([...stored.values()], rowsSheets);
    return {
      find: (record) => {
        const byId = idInNumber(this.#screen, record);
        if (byId !== undefined) return stored.get(`#${byId}`);
        for (const key of this.keys) {
          const text = this.keyText(key, record);
          const found = text === null ? undefined : stored.get(`${key.join()}=${text}`);
          if (found) return found;
        }
        return undefined;
      },
    };
  }

  /** Child rows are not imported: totals and rules use the stored ones. */
  async #addChildRows(
    records: { id: number; values: Record<string, unknown> }[],
    rowsSheets: readonly RowsSheet[],
  ): Promise<void> {
    const expressions = [
      ...this.#screen.fields.flatMap((field) => field.formula ?? []),
      ...this.#screen.rules.map(({ assert }) => assert),
      ...this.#screen.fields.flatMap(({ readOnlyWhen }) => readOnlyWhen ?? []),
    ];
    for (const { name, rows: columns, rowGroup, part } of this.#screen.fields) {
      if (!columns) continue;
      const brought = rowsSheets.some(({ field, within }) => [name, rowGroup?.of].includes((within ?? field).name));
      if (!brought && !expressions.some((text) => new RegExp(`\\b${name}\\b`).test(text))) continue;
      const names = columns.filter((column) => !column.secret).map((column) => column.name);
      for (const { values } of records) values[name] = [];
      // A record appears once for each key that may refer to it.
      const byId = Map.groupBy(records, ({ id }) => id);
      const ids = [...byId.keys()];
      for (let from = 0; from < ids.length; from += SLICE) {
        if (part) {
          const found = await readRecords(this.#session, this.#screen, this.#screens, ids.slice(from, from + SLICE));
          for (const record of found) for (const { values } of byId.get(record.id) ?? []) values[name] = record[name];
          continue;
        }
        const rows = await this.#session.tenant.db.query<Record<string, unknown>>(
          `select id, parent_id, ${names.map((one) => `"${one}"`).join(', ')} from ${childTable(this.#session.tenant.schema, this.#screen.name, name)} where parent_id = any($1) order by parent_id, position`,
          [ids.slice(from, from + SLICE)],
        );
        for (const { parent_id: parent, ...row } of rows)
          for (const { values } of byId.get(parent as number) ?? []) (values[name] as unknown[]).push(row);
      }
    }
  }

  /** The changed child rows of a stored record, and those computed from them. */
  changedRowFields(
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    brought: ReadonlyMap<string, unknown>,
  ): Record<string, unknown> {
    const fields = this.#screen.fields.filter(
      ({ name, rowGroup }) => brought.has(name) || (rowGroup && brought.has(rowGroup.of)),
    );
    return Object.fromEntries(
      Object.keys(changeOf({ fields }, before, after)).map((name) => [name, after[name]] as const),
    );
  }

  /** The changes to a stored record in the imported columns and the columns computed or copied from them. */
  changed(
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    brought: string[],
    computed = this.#screen.fields
      .filter(({ formula, fetch }) => formula !== undefined || fetch)
      .map(({ name }) => name),
  ): Record<string, unknown> {
    const set: Record<string, unknown> = {};
    for (const name of new Set([...brought, ...computed])) {
      const [from, to] = [before[name] ?? null, after[name] ?? null];
      // A key in different upper or lower case still refers to this record; it does not rename it.
      if (this.keys.some((key) => key.includes(name)) && String(from).toLowerCase() === String(to).toLowerCase())
        continue;
      // Sheets show times to the minute.
      if (this.#moments.has(name) && minuteOf(from) === minuteOf(to)) continue;
      // 10 and 10.0000 are equal.
      if (
        this.#amounts.has(name) &&
        from !== null &&
        to !== null &&
        new Decimal(String(from)).equals(new Decimal(String(to)))
      )
        continue;
      if (JSON.stringify(to) !== JSON.stringify(from)) set[name] = to;
    }
    return set;
  }

  /**
   * New records in the order of the type's list, its end first. While they are being added, a list must skip those that
   * come before its page: this way they come last, and are stored together, many per database page. Automatic numbers
   * follow the order of the sheet, so those records keep it.
   */
  inListOrder(records: Record<string, unknown>[]): Record<string, unknown>[] {
    if (this.#screen.number) return records;
    const places = this.#screen.sort.map((entry) => ({
      name: entry.replace(/^-/, ''),
      sign: entry.startsWith('-') ? -1 : 1,
    }));
    const value = (record: Record<string, unknown>, name: string) =>
      this.#amounts.has(name)
        ? Number(record[name] ?? 0)
        : typeof record[name] === 'number'
          ? record[name]
          : String(record[name] ?? '').toLowerCase();
    return records.toSorted((a, b) => {
      for (const { name, sign } of places) {
        const [one, other] = [value(a, name), value(b, name)];
        if (one !== other) return one < other ? sign : -sign;
      }
      return 0;
    });
  }

  #emptyCounts(key: string[]): boolean {
    return this.#screen.emptyEqual?.some((one) => one.join() === key.join()) === true;
  }
}

/** Parts of a list, one per statement. */
export function slicesOf<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / SLICE) }, (_, at) => items.slice(at * SLICE, (at + 1) * SLICE));
}

function minuteOf(value: unknown): number | null {
  return value === null ? null : Math.floor(Date.parse(String(value)) / 60_000);
}
