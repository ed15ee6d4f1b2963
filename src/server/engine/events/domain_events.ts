import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { announce } from '../../db/announce.ts';
import type { Ref } from './ref.ts';
import type { Module, Subscriber } from '../modules.ts';
import type { UnitOfWork } from '../records/unit_of_work.ts';
import { unitOf } from '../records/unit_of_work.ts';

type Row = Record<string, unknown>;

/** A module and the event that it subscribes to. */
export type Subscription = [module: string, event: string];

/** An event in a transaction that has not ended yet. */
interface Happened {
  name: string;
  payload: Row;
  of: Ref | null;
  /** The transaction has written the record: nobody else publishes events about it until the transaction ends. */
  held: boolean;
}

/** The events of every record type. */
const AUTOMATIC = ['created', 'changed', 'removed'] as const;
export type Automatic = (typeof AUTOMATIC)[number];

/** Event and subscriber for jobs that a transaction enqueues. */
export const JOB = 'job';
/** Event and subscriber for records stored by an import, processed by the module of their type. */
export const SAVED = 'saved';
/** The number of records in one such delivery. */
const SAVED_AT_ONCE = 200;
/** The subscriber for events that trigger automatic transitions: it determines the records. */
export const AUTO = 'auto';
/** Event and subscriber for one automatic transition of one record. */
export const STEP = 'step';
/** Handled by the engine itself. */
const OWN: ReadonlySet<string> = new Set([JOB, SAVED, STEP]);
/** The longest chain of events from one cause; the next one is parked. */
const MAX_LINKS = 5;

const NO_SCREENS: ReadonlyMap<string, Screen> = new Map();

const TOO_MANY_LINKS = `This is the ${MAX_LINKS + 1}th event in a chain from one cause. Check whether the events form a loop.`;

/** The subscriptions, and the events of running transactions. Events without subscribers are not written. */
export class DomainEvents {
  readonly #subscribers = new Map<string, Map<string, Subscriber>>();
  readonly #emitted = new Map<string, (payload: Row) => boolean>();
  readonly #watched = new Set<string>();
  readonly #happened = new WeakMap<UnitOfWork, Happened[]>();
  readonly #hasJob: (name: string) => boolean;
  readonly #screens: () => ReadonlyMap<string, Screen>;
  readonly #awaited = new WeakMap<ReadonlyMap<string, Screen>, ReadonlySet<string>>();

  /** `screens`: the product's screens, whose transitions may follow from events. */
  constructor(
    modules: readonly Module[],
    hasJob: (name: string) => boolean = () => false,
    screens: () => ReadonlyMap<string, Screen> = () => NO_SCREENS,
  ) {
    this.#hasJob = hasJob;
    this.#screens = screens;
    const ajv = new Ajv2020({ strict: false });
    for (const { name, emits = {}, on = {} } of modules) {
      for (const [event, schema] of Object.entries(emits)) this.#emitted.set(`${name}.${event}`, ajv.compile(schema));
      for (const [event, subscriber] of Object.entries(on)) {
        const all = this.#subscribers.get(event) ?? new Map<string, Subscriber>();
        this.#subscribers.set(event, all.set(name, subscriber));
        this.#watched.add(event.split('.')[0]!);
      }
    }
  }

  /** The subscriptions to events of a record type, for a process without modules. */
  subscriptions(type: string): Subscription[] {
    return [...new Set([...this.#subscribers.keys(), ...this.#steps()])].flatMap((event) =>
      event.startsWith(`${type}.`) ? this.#to(event).map((module): Subscription => [module, event]) : [],
    );
  }

  /** For a process without modules: it publishes events, and others deliver them. */
  static of(subscriptions: readonly Subscription[]): DomainEvents {
    const elsewhere: Subscriber = { run: () => Promise.reject(new Error('This process does not deliver events.')) };
    return new DomainEvents(subscriptions.map(([name, event]) => ({ name, on: { [event]: elsewhere } })));
  }

  /** Subscriptions of modules to events that can never occur. */
  unknown(screens: ReadonlyMap<string, Screen>): string[] {
    return [...this.#subscribers.keys()].filter((event) => {
      const [type, what] = event.split('.') as [string, string];
      const screen = screens.get(type);
      return !(
        this.#emitted.has(event) ||
        (screen && (AUTOMATIC as readonly string[]).includes(what)) ||
        screen?.workflow?.transitions.some(({ name }) => name === what) ||
        // The function of a target may return its own bands.
        screen?.clocks?.some(({ name }) => what.startsWith(`${name}_`))
      );
    });
  }

  /** Whether there is any subscriber for events of a record type. */
  watches(type: string): boolean {
    return this.#watched.has(type) || [...this.#steps()].some((event) => event.startsWith(`${type}.`));
  }

  /** The events that trigger transitions of the product's types. */
  #steps(): ReadonlySet<string> {
    const screens = this.#screens();
    const known = this.#awaited.get(screens);
    if (known) return known;
    const found = new Set(
      [...screens.values()].flatMap(({ workflow }) =>
        (workflow?.transitions ?? []).flatMap(({ auto }) => auto?.flatMap(({ event }) => event?.name ?? []) ?? []),
      ),
    );
    this.#awaited.set(screens, found);
    return found;
  }

  /** The subscribers of an event. */
  #to(event: string): string[] {
    return [...(this.#subscribers.get(event)?.keys() ?? []), ...(this.#steps().has(event) ? [AUTO] : [])];
  }

  subscriber(module: string, event: string): Subscriber | undefined {
    return this.#subscribers.get(event)?.get(module);
  }

  /** Publishes an event on behalf of a module's function. @throws Error if its module does not declare it */
  emit(session: Session, screens: ReadonlyMap<string, Screen>, name: string, payload: Row, of?: Ref): void {
    const fits = this.#emitted.get(name);
    if (!fits) throw new Error(`No module declares the event "${name}".`);
    if (!fits(payload)) throw new Error(`What the event "${name}" carries is not as its module declares it.`);
    if (of && !screens.has(of.type)) throw new Error(`The event "${name}" is about an unknown type, "${of.type}".`);
    this.#add(session, { name, payload, of: of ?? null, held: false });
  }

  /** Publishes an event about a record that the transaction has written. It contains names of fields, never values. */
  ofRecord(session: Session, type: string, what: string, id: number, fields?: readonly string[], more: Row = {}): void {
    this.#add(session, {
      name: `${type}.${what}`,
      payload: fields ? { fields, ...more } : more,
      of: { type, id },
      held: true,
    });
  }

  /** Schedules a transition of a record for after the commit, in its own transaction, once. */
  step(session: Session, type: string, id: number, transition: string): void {
    this.#add(session, { name: STEP, payload: { transition }, of: { type, id }, held: false });
  }

  /**
   * Enqueues a job for after the commit. The job queue is in the platform's database, so it is delivered as an event.
   * @param company default: that of the session
   */
  enqueue(session: Session, job: string, args: Row, key?: string, at?: Date, company?: number): void {
    if (!this.#hasJob(job)) throw new Error(`There is no job "${job}".`);
    this.#add(session, {
      name: JOB,
      payload: { job, args, key, at: at?.toISOString(), company },
      of: null,
      held: true,
    });
  }

  /**
   * Stores the events of many records in their transaction, for instance of an import. `follows`: the module of the
   * type processes stored records; because the import runs in another process, that is delivered as an event too.
   */
  async ofMany(
    tx: Queryable,
    session: Session,
    type: string,
    what: Automatic,
    ids: readonly number[],
    { cause, follows }: { cause: string; follows: boolean },
  ): Promise<void> {
    const name = `${type}.${what}`;
    const happened: Happened[] =
      this.#to(name).length > 0 ? ids.map((id) => ({ name, payload: {}, of: { type, id }, held: true })) : [];
    if (follows)
      for (let from = 0; from < ids.length; from += SAVED_AT_ONCE)
        happened.push({
          name: SAVED,
          payload: { type, ids: ids.slice(from, from + SAVED_AT_ONCE) },
          of: null,
          held: true,
        });
    if (happened.length > 0) await this.#store(tx, session, happened, unitOf(session)?.link ?? 0, cause);
  }

  #add(session: Session, happened: Happened): void {
    const unit = unitOf(session);
    if (!unit) throw new Error('Events belong to a unit of work.');
    if (unit.preview || (!OWN.has(happened.name) && this.#to(happened.name).length === 0)) return;
    const before = this.#happened.get(unit);
    if (before) {
      before.push(happened);
      return;
    }
    const all = [happened];
    this.#happened.set(unit, all);
    unit.beforeCommit(() => this.#store(unit.session.tenant.db, unit.session, all, unit.link, unit.cause ?? ''));
  }

  async #store(on: Queryable, session: Session, all: Happened[], link: number, cause: string): Promise<void> {
    const { schema } = session.tenant;
    const s = quoted(schema);
    await lock(on, schema, all);
    const parked = link >= MAX_LINKS;
    const pairs = [...new Set(all.map(({ name }) => name))].flatMap((name) =>
      OWN.has(name) ? [[name, name]] : this.#to(name).map((module) => [name, module]),
    );
    await on.query(
      `with e as (
         insert into ${s}.domain_event (name, record_type, record_id, entity_id, payload, by, cause, link)
         select x.name, x.record_type, x.record_id, $2::bigint, x.payload, $3::bigint, $4, $5::integer
         from jsonb_to_recordset($1::jsonb) x(at integer, name text, record_type text, record_id bigint, payload jsonb) order by x.at
         returning id, name, record_type, record_id)
       insert into ${s}.event_delivery (event_id, subscriber, record_type, record_id, state, error)
       select e.id, w.subscriber, e.record_type, e.record_id, $8, $9
       from e join unnest($6::text[], $7::text[]) w(name, subscriber) on w.name = e.name order by e.id, w.subscriber`,
      [
        JSON.stringify(
          all.map(({ name, payload, of }, at) => ({ at, name, record_type: of?.type, record_id: of?.id, payload })),
        ),
        session.entityId,
        session.userId || null,
        cause,
        link + 1,
        pairs.map(([name]) => name),
        pairs.map(([, subscriber]) => subscriber),
        parked ? 'parked' : 'waiting',
        parked ? TOO_MANY_LINKS : null,
      ],
    );
    await announce(on, { kind: 'event', schema });
  }
}

/** Events of one record are in order because only one transaction at a time publishes them. */
async function lock(on: Queryable, schema: string, all: readonly Happened[]): Promise<void> {
  const records = all.flatMap(({ of, held }) => (of && !held ? [of] : []));
  records.sort((one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : one.id - other.id));
  for (const { type, id } of records)
    await on.query(`select 1 from ${tableName(schema, type)} where id = $1 for update`, [id]);
}
