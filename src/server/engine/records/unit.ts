import type { MadeFrom } from '../../../descriptor/makes.ts';
import type { FieldError, PageType, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { callWebhook } from '../../services/live/webhook_events.ts';
import type { Notice, Notifications, OwnMail } from '../../services/notifications/notify.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { namesOfChange, openedFields } from '../../../descriptor/opened_fields.ts';
import type { Ref } from '../events/ref.ts';
import { elevated } from './elevated.ts';
import { lockRecords } from './locks.ts';
import { numberOf, seriesOf, takeAside, takeNumbers } from './numbering.ts';
import type { UnitOfWork } from './unit_of_work.ts';
import { copyOf } from './copy_of.ts';

type Row = Record<string, unknown>;

/** `select *`, `t.*`: the result columns change with the table. */
const ALL_COLUMNS = /[\s.]\*/;

/** The permissions of a function within its unit. */
export interface UnitLimits {
  /** It may exceed the rights and the row scope of the person, within the company. */
  elevated?: boolean;
  /** It runs after the number is assigned: it takes no locks and no transitions. */
  late?: boolean;
}

/** The last stamps of the running units. */
const stamped = new WeakMap<UnitOfWork, string>();

/** Cached data that no transaction changes, for the functions of a unit. */
const known = new WeakMap<UnitOfWork, Map<string, unknown>>();

/** The record operations of a unit, implemented by the engine. */
interface UnitRecords {
  read(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  create(session: Session, screen: Screen, input: Row, what?: string): Promise<WireRecord>;
  update(session: Session, screen: Screen, id: number, input: Row, what?: string): Promise<WireRecord>;
  validateMany(session: Session, screen: Screen, records: Row[]): { record: Row; errors: FieldError[] }[];
  insertMany(tx: Queryable, session: Session, screen: Screen, records: Row[], what: string): Promise<number[]>;
  begin(session: Session, target: Screen, from: MadeFrom): Promise<Row>;
  beginEach(session: Session, screen: Screen, id: number, name: string): Promise<{ values: Row[]; left: number }>;
  remove(session: Session, screen: Screen, id: number): Promise<void>;
  removeMany(tx: Queryable, session: Session, screen: Screen, ids: number[], what: string): Promise<void>;
  transition(
    session: Session,
    screen: Screen,
    id: number,
    name: string,
    input: Row,
    options?: { moved?: true },
  ): Promise<WireRecord>;
  takeAuto(session: Session, screen: Screen, id: number, name: string, cause?: string, input?: Row): Promise<boolean>;
  takeAutoMany(session: Session, screen: Screen, ids: readonly number[], name: string, input?: Row): Promise<number>;
  changeMany(session: Session, screen: Screen, changes: readonly { id: number; set: Row }[]): Promise<void>;
}

/** The messages of a unit, sent after its commit. */
interface UnitEvents {
  emit(session: Session, screens: ReadonlyMap<string, Screen>, name: string, payload: Row, of?: Ref): void;
  enqueue(session: Session, job: string, args: Row, key?: string, at?: Date, company?: number): void;
}

export interface UnitDeps {
  engine: UnitRecords;
  screens(session: Session): ReadonlyMap<string, Screen>;
  notifications: Notifications;
  events: UnitEvents;
  /** Address of the public page of a record; `of`: the type of the record, if it is not the page's own. */
  publicLink(session: Session, screen: Screen, id: number, of?: string): Promise<string>;
  /** Issues a document of a record. @returns its id */
  issue(unit: Unit, screen: Screen, id: number, name: string): Promise<number>;
  /** The session of a person of the client without a sign-in; null: they may not sign in. */
  personSession(session: Session, userId: number): Promise<Session | null>;
}

/** The API for the functions of a module: records of any type, all in one transaction. */
export class Unit {
  readonly session: Session;
  readonly preview: boolean;
  readonly #work: UnitOfWork;
  readonly #deps: UnitDeps;
  readonly #limits: UnitLimits;
  /** With the rights of the product. */
  readonly #isElevated: boolean;

  constructor(
    work: UnitOfWork,
    deps: UnitDeps,
    limits: UnitLimits = {},
    session: Session = work.session,
    isElevated = false,
  ) {
    this.session = session;
    this.preview = work.preview;
    this.#work = work;
    this.#deps = deps;
    this.#limits = limits;
    this.#isElevated = isElevated;
  }

  /** The time of the transaction, after its first locks. */
  get now(): Date {
    return this.#work.now();
  }

  /**
   * When the person did it: for an offline action the device's time, corrected; otherwise the time of the transaction.
   */
  get at(): Date {
    return this.#work.at ?? this.#work.now();
  }

  /** The state into which an import is taking the new record; null: it is added in its first state. */
  get importedInto(): string | null {
    return this.#work.importedInto ?? null;
  }

  /** A time after all locks so far, later than every previous one: the order of ledger entries. */
  async stamp(): Promise<string> {
    const [row] = await this.session.tenant.db.query<{ stamp: string }>(
      `select to_char(greatest(clock_timestamp(), $1::timestamptz + interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp`,
      [stamped.get(this.#work) ?? null],
    );
    stamped.set(this.#work, row!.stamp);
    return row!.stamp;
  }

  /**
   * The same unit with the rights of the product, within the company; the history still names the person. @throws Error
   * if the function does not declare that it needs them
   */
  elevated(): Unit {
    if (this.#limits.elevated !== true)
      throw new Error('Only a function that says "elevated" goes beyond the rights of the person.');
    return new Unit(this.#work, this.#deps, this.#limits, elevated(this.session), true);
  }

  /**
   * The same unit with the rights and row scope of a person, such as the author of an automatic rule. This way a
   * function can have fewer rights than its own, never more than that person. Null: they may not sign in, or do not
   * belong to this company.
   */
  async as(userId: number): Promise<Unit | null> {
    const person = await this.#deps.personSession(this.session, userId);
    return person && new Unit(this.#work, this.#deps, {}, { ...person, tenant: this.session.tenant });
  }

  /** Locks records until the transaction ends, in the order in which all transactions lock. */
  async lock(refs: readonly Ref[]): Promise<void> {
    this.#notLate('locks records');
    await lockRecords(this.session, refs);
  }

  /** Rows of a statement in which `{billing}` is the table of that type, `{billing.lines}` that of its rows. */
  query<T = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    const { db, schema } = this.session.tenant;
    const tables = text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
      tableName(schema, rows === undefined ? type : `${type}__${rows}`),
    );
    // Prepared: planning most of them takes longer than running them. A statement that selects all columns would fail
    // after a column is added.
    return ALL_COLUMNS.test(text) ? db.query<T>(tables, values) : db.query<T>(preparedStatement(tables, values));
  }

  /**
   * Data that functions read repeatedly, read once: rates, settings, masters, nothing that the transaction itself
   * changes.
   */
  async once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const [found] = await this.onceEach([key], async () => [await read()]);
    return found!;
  }

  /**
   * The same for many keys: `read` receives the positions of the keys that were not read yet, and returns values in
   * their order. A job that creates many records reads for all of them first, and the fill of each finds the cached
   * value.
   */
  async onceEach<T>(keys: readonly string[], read: (places: number[]) => Promise<readonly T[]>): Promise<T[]> {
    const kept = (known.get(this.#work) ?? new Map<string, unknown>()) as Map<string, T>;
    known.set(this.#work, kept);
    const missing = [...keys.keys()].filter((at) => !kept.has(keys[at]!));
    if (missing.length > 0) {
      const found = await read(missing);
      missing.forEach((at, place) => kept.set(keys[at]!, found[place]!));
    }
    return keys.map((key) => kept.get(key)!);
  }

  /**
   * A record that the person may see; with `lock`, nobody else can change it before this transaction ends. @throws
   * AppError 404
   */
  async read(type: string, id: number, { lock = false } = {}): Promise<WireRecord> {
    const screen = this.#screen(type);
    if (lock && this.#limits.late !== true) await lockRecords(this.session, [{ type, id }]);
    return this.#deps.engine.read(this.session, screen, id);
  }

  /** Values for a new record copied from this one, without what must be unique or belongs to it only. */
  copyOf(type: string, record: WireRecord): Row {
    const values = copyOf(this.#screen(type), record);
    return Object.fromEntries(Object.entries(values).filter(([name]) => !name.endsWith('__label')));
  }

  create(type: string, input: Row): Promise<WireRecord> {
    return this.#deps.engine.create(
      this.session,
      openedFields(this.#screen(type), namesOfChange(input)),
      input,
      'action',
    );
  }

  /**
   * Adds many records in few statements, each validated: they have no rows, and nothing is fetched or filled for them.
   * With `skip`, a key of the type, existing ones are left out, so that a plan can be repeated.
   * @returns the ids of the added records, in order
   * @throws AppError 422 with the errors of the first invalid record
   */
  async createMany(
    type: string,
    records: readonly Row[],
    { skip }: { skip?: readonly string[] } = {},
  ): Promise<number[]> {
    const { tenant } = this.session;
    const names = new Set(records.flatMap((record) => Object.keys(record)));
    const screen = openedFields(this.#screen(type), [...names]);
    const missing = skip === undefined ? records : await this.#missing(screen, records, skip);
    const defaults = Object.fromEntries(
      screen.fields.flatMap(({ name, default: value, rows }) => (value === undefined || rows ? [] : [[name, value]])),
    );
    const checked = this.#deps.engine.validateMany(
      this.session,
      screen,
      missing.map((record) => ({ ...defaults, ...record })),
    );
    const wrong = checked.find(({ errors }) => errors.length > 0);
    if (wrong) this.refuse(wrong.errors);
    return this.#deps.engine.insertMany(
      tenant.db,
      this.session,
      screen,
      checked.map(({ record }) => record),
      'action',
    );
  }

  /**
   * Takes several numbers of a type at once, for rows that a module's statement adds; `record` has the values for the
   * pattern.
   */
  async numbers(type: string, count: number, record: Row = {}): Promise<string[]> {
    if (count === 0) return [];
    const screen = this.#screen(type);
    const { db } = this.session.tenant;
    const series = await (await seriesOf(db, this.session, screen, this.#screensByType()))(record);
    const last =
      screen.number!.gapless === false
        ? await takeAside(this.session, screen, series, count)
        : await takeNumbers(db, this.session, screen, series, count);
    return Array.from({ length: count }, (_, at) => numberOf(screen.number!, series, last - count + 1 + at));
  }

  /** The records for which none with the same key is stored. */
  async #missing(screen: Screen, records: readonly Row[], key: readonly string[]): Promise<readonly Row[]> {
    const { db, schema } = this.session.tenant;
    const fields = key.map((name) => screen.fields.find((field) => field.name === name)!);
    const shape = fields.map((field) => `${quoted(field.name)} ${fieldType(field.type).sql(field)}`).join(', ');
    const same = fields.map(({ name }) => `r.${quoted(name)} = x.${quoted(name)}`).join(' and ');
    const stored = await db.query<{ at: number }>(
      `select x.at from jsonb_to_recordset($1::jsonb) x(at integer, ${shape})
       where exists (select 1 from ${tableName(schema, screen.name)} r where ${same}${screen.scope === 'entity' ? ' and r.entity_id = $2' : ''})`,
      [
        JSON.stringify(
          records.map((record, at) => ({ ...Object.fromEntries(key.map((name) => [name, record[name]])), at })),
        ),
        ...(screen.scope === 'entity' ? [this.session.entityId] : []),
      ],
    );
    const there = new Set(stored.map(({ at }) => at));
    return records.filter((_record, at) => !there.has(at));
  }

  /**
   * Changes fields, including read-only ones, and with a partial change of rows (`{ set, add, remove }`) their columns
   * too. Without a version, whatever the current record.
   */
  async update(type: string, id: number, set: Row, version?: number): Promise<WireRecord> {
    const screen = openedFields(this.#screen(type), namesOfChange(set));
    const known = version ?? (await this.read(type, id, { lock: true })).version;
    return this.#deps.engine.update(this.session, screen, id, { ...set, version: known }, 'action');
  }

  /**
   * The same for many records of a type, whatever their current version; of child rows the whole list. Each is checked
   * and kept in the history by itself, but read and written with the others.
   */
  changeMany(type: string, changes: readonly { id: number; set: Row }[]): Promise<void> {
    const names = new Set(changes.flatMap(({ set }) => namesOfChange(set)));
    return this.#deps.engine.changeMany(this.session, openedFields(this.#screen(type), [...names].toSorted()), changes);
  }

  remove(type: string, id: number): Promise<void> {
    return this.#deps.engine.remove(this.session, this.#screen(type), id);
  }

  /** The same for many records, all or none, whatever their state: the caller has checked that they may go. */
  removeMany(type: string, ids: readonly number[]): Promise<void> {
    const { db } = this.session.tenant;
    return this.#deps.engine.removeMany(db, this.session, this.#screen(type), [...ids], 'action');
  }

  /** Takes a transition of another record. */
  transition(type: string, id: number, name: string, input: Row = {}): Promise<WireRecord> {
    this.#notLate('takes a transition');
    const moved = this.#isElevated ? { moved: true as const } : {};
    return this.#deps.engine.transition(this.session, this.#screen(type), id, name, input, moved);
  }

  /** Takes an automatic transition of this or another record, if it starts from its state. @returns whether it did */
  takeAuto(type: string, id: number, name: string, input: Row = {}): Promise<boolean> {
    this.#notLate('takes a transition');
    return this.#deps.engine.takeAuto(this.session, this.#screen(type), id, name, 'action', input);
  }

  /**
   * The same for many records: each is checked, logged and kept in the history by itself, but read and written with the
   * others. @returns how many took it
   */
  takeAutoMany(type: string, ids: readonly number[], name: string, input: Row = {}): Promise<number> {
    this.#notLate('takes a transition');
    return this.#deps.engine.takeAutoMany(this.session, this.#screen(type), ids, name, input);
  }

  /** Creates the next document of a record, as if its form had been saved unchanged. */
  async make(name: string, { type, id }: Ref): Promise<WireRecord> {
    this.#notLate('makes a document');
    const make = this.#screen(type).makes?.find((one) => one.name === name);
    if (!make) throw new Error(`"${type}" makes no "${name}".`);
    const target = this.#screen(make.to);
    const values = await this.#deps.engine.begin(this.session, target, { type, id, make: name });
    return this.create(make.to, values);
  }

  /**
   * Creates the missing records of a make with `each`. @throws AppError 422 if there are more than one transaction may
   * create
   */
  async makeEach(name: string, { type, id }: Ref): Promise<WireRecord[]> {
    this.#notLate('makes documents');
    const screen = this.#screen(type);
    const make = screen.makes?.find((one) => one.name === name);
    if (!make) throw new Error(`"${type}" makes no "${name}".`);
    const { values, left } = await this.#deps.engine.beginEach(this.session, screen, id, name);
    if (left > 0)
      this.refuse([
        { field: '', message: `"${make.title}" makes ${values.length + left} records: more than one step does.` },
      ]);
    const made: WireRecord[] = [];
    for (const one of values) made.push(await this.create(make.to, one));
    return made;
  }

  /** Whether the person has a page right on another type, as its own calls require. @throws AppError 403 */
  authorize(type: string, page: PageType): void {
    const screen = this.#screen(type);
    authorize(this.session, screen, page, screen.access.action);
  }

  /** Notifies people; sent if and when the transaction is committed. */
  notify(notice: Notice): Promise<void> {
    const { tenant } = this.session;
    return this.#deps.notifications.notify(tenant.db, tenant, notice);
  }

  /** The same for many notices; people who get several of them get them in order. */
  notifyMany(notices: readonly Notice[]): Promise<void> {
    const { tenant } = this.session;
    return this.#deps.notifications.notifyMany(tenant.db, tenant, notices);
  }

  /** Sends a mail with its own text; sent if and when the transaction is committed. */
  post(mail: OwnMail): Promise<void> {
    const { tenant } = this.session;
    return this.#deps.notifications.post(tenant.db, tenant, mail);
  }

  /** Issues a document of `print`, as the effect of that name does. @returns its id */
  issue(type: string, id: number, name: string): Promise<number> {
    return this.#deps.issue(this, this.#screen(type), id, name);
  }

  /**
   * Address at which a person without an account can open the public page of a record. `of`: the type of the record,
   * such as the questionnaire whose answers the page takes.
   */
  publicLink(type: string, id: number, of?: string): Promise<string> {
    return this.#deps.publicLink(this.session, this.#screen(type), id, of);
  }

  /**
   * Calls a webhook about a record, after the commit. The receiver gets `more` as it is, and of the record what the
   * account of the webhook may see. @throws AppError 422 if the webhook is not in use
   */
  async callWebhook(webhook: number, { type, id }: Ref, more: Row): Promise<void> {
    const { db, schema } = this.session.tenant;
    const { version } = await this.read(type, id);
    const of = { type, id, version, entityId: this.session.entityId };
    if (!(await callWebhook(db, schema, { webhook, of, more })))
      this.refuse([{ field: '', message: 'The webhook is not in use. Test it in API configuration.' }]);
  }

  /**
   * Publishes an event to its subscribers, which process it after the commit. `of`: the record it concerns; events of
   * one record are delivered in order.
   */
  emit(event: string, payload: Row = {}, of?: Ref): void {
    this.#deps.events.emit(this.session, this.#screensByType(), event, payload, of);
  }

  /** Enqueues a job for after the commit. With `key`, a waiting one is not queued twice; `at`: not before. */
  enqueue(job: string, args: Row = {}, key?: string, at?: Date): void {
    this.#deps.events.enqueue(this.session, job, args, key, at);
  }

  /** The same for a job of another company. */
  enqueueIn(company: number, job: string, args: Row, key: string): void {
    this.#deps.events.enqueue(this.session, job, args, key, undefined, company);
  }

  /**
   * Tries something that may be refused without ending the transaction: on refusal it is rolled back. @returns the
   * refusal, or null
   */
  async attempt(work: () => Promise<void>): Promise<AppError | null> {
    try {
      await this.session.tenant.db.transaction(work);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return error;
      throw error;
    }
  }

  /** Ends the transaction with these errors; everything is rolled back. */
  refuse(findings: FieldError[], status: 409 | 422 = 422): never {
    if (status === 422) throw invalid(findings);
    throw new AppError(409, 'bad_state', findings[0]!.message, { field: findings[0]!.field, details: findings });
  }

  #notLate(what: string): void {
    if (this.#limits.late === true)
      throw new Error(`A late effect ${what}: the counter of the number is locked by then.`);
  }

  #screensByType(): ReadonlyMap<string, Screen> {
    return this.#deps.screens(this.session);
  }

  #screen(type: string): Screen {
    const screen = this.#screensByType().get(type);
    if (!screen) throw notFound();
    return screen;
  }
}
