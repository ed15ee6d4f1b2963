import type { MadeFrom } from '../../../descriptor/makes.ts';
import type { FieldError, PageType, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Notice, Notifications, OwnMail } from '../../services/notifications/notify.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { namesOfChange, openedFields } from '../../../descriptor/opened_fields.ts';
import type { Ref } from '../events/ref.ts';
import { elevated } from './elevated.ts';
import { lockRecords } from './locks.ts';
import { numberOf, seriesOf, takeAside, takeNumbers } from './numbering.ts';
import type { UnitOfWork } from './unit_of_work.ts';

type Row = Record<string, unknown>;

/** `select *`, `t.*`: what comes back changes with the table. */
const ALL_COLUMNS = /[\s.]\*/;

/** What a function may do with its unit. */
export interface UnitLimits {
  /** It may go beyond the rights and the sight of the person, within the company. */
  elevated?: boolean;
  /** It runs after the number is given: it locks nothing and takes no transition. */
  late?: boolean;
}

/** The last stamps of the units that are under way. */
const stamped = new WeakMap<UnitOfWork, string>();

/** What the functions of a unit have read that no act changes. */
const known = new WeakMap<UnitOfWork, Map<string, unknown>>();

/** What a unit does to records; the engine does it. */
interface UnitRecords {
  read(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  create(session: Session, screen: Screen, input: Row, what?: string): Promise<WireRecord>;
  update(session: Session, screen: Screen, id: number, input: Row, what?: string): Promise<WireRecord>;
  validateMany(session: Session, screen: Screen, records: Row[]): { record: Row; errors: FieldError[] }[];
  insertMany(tx: Queryable, session: Session, screen: Screen, records: Row[], what: string): Promise<number[]>;
  begin(session: Session, target: Screen, from: MadeFrom): Promise<Row>;
  beginEach(session: Session, screen: Screen, id: number, name: string): Promise<{ values: Row[]; left: number }>;
  remove(session: Session, screen: Screen, id: number): Promise<void>;
  transition(
    session: Session,
    screen: Screen,
    id: number,
    name: string,
    input: Row,
    options?: { moved?: true },
  ): Promise<WireRecord>;
  takeAuto(session: Session, screen: Screen, id: number, name: string, cause?: string, input?: Row): Promise<boolean>;
}

/** What a unit says to others after its commit. */
interface UnitEvents {
  emit(session: Session, screens: ReadonlyMap<string, Screen>, name: string, payload: Row, of?: Ref): void;
  enqueue(session: Session, job: string, args: Row, key?: string, at?: Date): void;
}

export interface UnitDeps {
  engine: UnitRecords;
  screens(session: Session): ReadonlyMap<string, Screen>;
  notifications: Notifications;
  events: UnitEvents;
  /** Address of the public page of a record. */
  publicLink(session: Session, screen: Screen, id: number): Promise<string>;
  /** The session of a person of the client without a sign-in; null: they may not sign in. */
  personSession(session: Session, userId: number): Promise<Session | null>;
}

/** What the functions of a module work with: records of any type, all in the transaction of one act. */
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

  /** The moment of the act, after its first locks. */
  get now(): Date {
    return this.#work.now();
  }

  /** When the person did it: of an act that waited on a device the device's time, corrected; else the moment of the act. */
  get at(): Date {
    return this.#work.at ?? this.#work.now();
  }

  /** A moment after all locks taken so far, later than every one before: what a ledger is in order by. */
  async stamp(): Promise<string> {
    const [row] = await this.session.tenant.db.query<{ stamp: string }>(
      `select to_char(greatest(clock_timestamp(), $1::timestamptz + interval '1 microsecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stamp`,
      [stamped.get(this.#work) ?? null],
    );
    stamped.set(this.#work, row!.stamp);
    return row!.stamp;
  }

  /** The same unit with the rights of the product, within the company; history keeps the person. @throws Error where the function does not say that it needs them */
  elevated(): Unit {
    if (this.#limits.elevated !== true)
      throw new Error('Only a function that says "elevated" goes beyond the rights of the person.');
    return new Unit(this.#work, this.#deps, this.#limits, elevated(this.session), true);
  }

  /**
   * The same unit with the rights and the sight of a person, such as whoever wrote a rule that runs by itself. A function
   * may go below its own rights so, never beyond those of that person. Null: they may not sign in, or are not of this company.
   */
  async as(userId: number): Promise<Unit | null> {
    const person = await this.#deps.personSession(this.session, userId);
    return person && new Unit(this.#work, this.#deps, {}, { ...person, tenant: this.session.tenant });
  }

  /** Locks records until the act ends, in the order in which all acts do. */
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
    // Prepared: planning costs more than most of them do. What selects all columns would fail once there is another one.
    return ALL_COLUMNS.test(text) ? db.query<T>(tables, values) : db.query<T>(preparedStatement(tables, values));
  }

  /** What functions of an act read again and again, read once: rates, settings, masters, nothing that the act itself changes. */
  async once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const [found] = await this.onceEach([key], async () => [await read()]);
    return found!;
  }

  /**
   * The same of many: `read` is given the places of the keys that were not read yet, and answers in their order. A job that
   * makes many records reads for all of them at first, and the fill of each finds it then.
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

  /** A record in the person's sight; with `lock`, nobody else changes it before this act ends. @throws AppError 404 */
  async read(type: string, id: number, { lock = false } = {}): Promise<WireRecord> {
    const screen = this.#screen(type);
    if (lock && this.#limits.late !== true) await lockRecords(this.session, [{ type, id }]);
    return this.#deps.engine.read(this.session, screen, id);
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
   * Adds many records in few statements, each checked by itself: they have no rows, and nothing is fetched or filled for
   * them. With `skip`, a key of the type, those that are there already are left out, so that a plan may be made twice.
   * @returns the ids of those that were added, in order
   * @throws AppError 422 with what is wrong with the first that is not right
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

  /** Takes several numbers of a type at once, for rows that a statement of a module adds; `record` is what its pattern names. */
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

  /** The records of which none is stored with the same key. */
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
   * Changes fields, those that people only read too, and in a part of rows (`{ set, add, remove }`) their columns as well.
   * Without a version, whatever the record is now.
   */
  async update(type: string, id: number, set: Row, version?: number): Promise<WireRecord> {
    const screen = openedFields(this.#screen(type), namesOfChange(set));
    const known = version ?? (await this.read(type, id, { lock: true })).version;
    return this.#deps.engine.update(this.session, screen, id, { ...set, version: known }, 'action');
  }

  remove(type: string, id: number): Promise<void> {
    return this.#deps.engine.remove(this.session, this.#screen(type), id);
  }

  /** Takes a transition of another record. */
  transition(type: string, id: number, name: string, input: Row = {}): Promise<WireRecord> {
    this.#notLate('takes a transition');
    const moved = this.#isElevated ? { moved: true as const } : {};
    return this.#deps.engine.transition(this.session, this.#screen(type), id, name, input, moved);
  }

  /** Takes a transition that is the product's own, of this or another record, if its state leads there. @returns whether it did */
  takeAuto(type: string, id: number, name: string, input: Row = {}): Promise<boolean> {
    this.#notLate('takes a transition');
    return this.#deps.engine.takeAuto(this.session, this.#screen(type), id, name, 'action', input);
  }

  /** Makes the next document of a record, as the form would when it is saved as it opens. */
  async make(name: string, { type, id }: Ref): Promise<WireRecord> {
    this.#notLate('makes a document');
    const make = this.#screen(type).makes?.find((one) => one.name === name);
    if (!make) throw new Error(`"${type}" makes no "${name}".`);
    const target = this.#screen(make.to);
    const values = await this.#deps.engine.begin(this.session, target, { type, id, make: name });
    return this.create(make.to, values);
  }

  /** Makes what is missing of a make with `each`. @throws AppError 422 where it is more than one act makes */
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

  /** Whether the person has a page of another type, which its own calls would ask for. @throws AppError 403 */
  authorize(type: string, page: PageType): void {
    const screen = this.#screen(type);
    authorize(this.session, screen, page, screen.access.action);
  }

  /** Writes to people; it goes out if and when the act is committed. */
  notify(notice: Notice): Promise<void> {
    const { tenant } = this.session;
    return this.#deps.notifications.notify(tenant.db, tenant, notice);
  }

  /** Sends a mail with words of its own; it goes out if and when the act is committed. */
  post(mail: OwnMail): Promise<void> {
    const { tenant } = this.session;
    return this.#deps.notifications.post(tenant.db, tenant, mail);
  }

  /** Address by which somebody without an account opens the public page of a record. */
  publicLink(type: string, id: number): Promise<string> {
    return this.#deps.publicLink(this.session, this.#screen(type), id);
  }

  /**
   * Says that something happened, to whoever subscribes; they do what follows from it after the commit. `of`: the record
   * that it is about; what is said of one record is delivered in the order in which it happened.
   */
  emit(event: string, payload: Row = {}, of?: Ref): void {
    this.#deps.events.emit(this.session, this.#screensByType(), event, payload, of);
  }

  /** Has a job run after the commit. With `key`, one that still waits is not queued twice; `at`: not before. */
  enqueue(job: string, args: Row = {}, key?: string, at?: Date): void {
    this.#deps.events.enqueue(this.session, job, args, key, at);
  }

  /** Does something that may be refused without ending the act: then nothing of it happens. @returns the refusal, or null */
  async attempt(work: () => Promise<void>): Promise<AppError | null> {
    try {
      await this.session.tenant.db.transaction(work);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return error;
      throw error;
    }
  }

  /** Ends the act with what is wrong; nothing of it happens. */
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
