import { formatMoment, formatValue } from '../../../descriptor/format.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { elevated } from '../records/elevated.ts';
import { readRecords } from '../records/read.ts';
import { seenRecords } from '../records/visible.ts';

type Row = Readonly<Record<string, unknown>>;

/** A field at the end of a path, and its record. */
export interface Reached {
  field: Field;
  value: unknown;
  record: Row;
}

const MOMENTS = new Set(['created_at', 'updated_at']);
const STAMPS = new Set(['id', 'version', 'created_by', 'updated_by', ...MOMENTS]);

/**
 * The values that a print shows, by path. Records behind references are read within the company, without the person's
 * own right to their page: the descriptor decides what a document contains. Fields hidden from the person are absent.
 */
export class PrintValues {
  readonly #session: Session;
  readonly #screens: ReadonlyMap<string, Screen>;
  readonly #document: Row;
  readonly #known = new Map<string, WireRecord | null>();
  readonly #serving = new Map<string, Screen | undefined>();

  /**
   * @param document the printed record: times are in the time zone of its branch and company, money is in its company's
   * currency
   */
  constructor(session: Session, screens: ReadonlyMap<string, Screen>, document: Row) {
    this.#document = document;
    this.#session = elevated(session);
    this.#screens = screens;
  }

  /** The type that plays a role (`serves`) in the engine. */
  serving(kind: 'company' | 'branch' | 'terms'): Screen | undefined {
    if (!this.#serving.has(kind))
      this.#serving.set(
        kind,
        [...this.#screens.values()].find(({ serves }) => typeof serves === 'object' && kind in serves),
      );
    return this.#serving.get(kind);
  }

  /** A record by id, read once; null if it does not exist any more. */
  async record(type: string, id: unknown): Promise<WireRecord | null> {
    if (typeof id !== 'number') return null;
    await this.load(type, [id]);
    return this.#known.get(`${type} ${id}`) ?? null;
  }

  /** Reads many records at once for later paths. */
  async load(type: string, ids: Iterable<unknown>): Promise<void> {
    const screen = this.#screens.get(type);
    const missing = [...new Set(ids)].filter(
      (id): id is number => typeof id === 'number' && !this.#known.has(`${type} ${id}`),
    );
    if (!screen || missing.length === 0) return;
    // The map itself: it is the key of the statement cache.
    const screens = this.#screens as Map<string, Screen>;
    const whole = await readRecords(this.#session, screen, screens, missing, { written: true });
    const found = await seenRecords(this.#session, screen, screens, whole);
    for (const id of missing) this.#known.set(`${type} ${id}`, found.find((one) => one.id === id) ?? null);
  }

  /** Follows a path from a row of the record, or from the record; null if it leads nowhere. */
  async reach(path: string, fields: readonly Field[], record: Row): Promise<Reached | null> {
    const [first = '', ...rest] = path.split('.');
    let names = [first, ...rest];
    let [around, from]: [readonly Field[], Row | null] = [fields, record];
    if (first === 'company' && rest.length > 0) {
      const company = this.serving('company');
      around = company?.fields ?? [];
      from = company ? await this.record(company.name, record.entity_id ?? this.#session.entityId) : null;
      names = rest;
    }
    for (const [at, name] of names.entries()) {
      const field = around.find((one) => one.name === name);
      if (!field || !from) return null;
      if (at === names.length - 1) return { field, value: from[name], record: from };
      const target = field.ref && this.#screens.get(field.ref.type);
      if (!target) return null;
      from = await this.record(target.name, from[name]);
      around = target.fields;
    }
    return null;
  }

  /** A displayed value, in the format of the document's branch and company. */
  shown(field: Field, value: unknown, record?: Row): string {
    return atRecord(this.#document, () => formatValue(field, value, record));
  }

  /** The displayed value of a path; empty if there is none. */
  async text(path: string, fields: readonly Field[], record: Row): Promise<string> {
    if (STAMPS.has(path)) {
      const value = record[`${path}__label`] ?? record[path];
      if (value === null || value === undefined) return '';
      if (!MOMENTS.has(path)) return String(value);
      return atRecord(this.#document, () => formatMoment(String(value)));
    }
    const reached = await this.reach(path, fields, record);
    return reached ? this.shown(reached.field, reached.value, reached.record) : '';
  }

  /** The same with the currency symbol, for a single amount rather than a column of amounts. */
  async signed(path: string, fields: readonly Field[], record: Row): Promise<string> {
    const text = await this.text(path, fields, record);
    const reached = STAMPS.has(path) ? null : await this.reach(path, fields, record);
    const isPlain = reached?.field.type === 'money' && reached.field.currencyFrom === undefined;
    return isPlain && text !== '' ? `${atRecord(this.#document, () => unitOf(reached.field)) ?? ''}${text}` : text;
  }

  /** The same with the unit, beside the name of the field; texts state it themselves. */
  async measured(path: string, fields: readonly Field[], record: Row): Promise<string> {
    const text = await this.signed(path, fields, record);
    const reached = STAMPS.has(path) ? null : await this.reach(path, fields, record);
    return text !== '' && reached?.field.unit !== undefined ? `${text} ${reached.field.unit}` : text;
  }
}
