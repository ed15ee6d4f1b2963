import { inZones } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { sharingHours } from '../../access/people/business_hours.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { quoted } from '../../db/names.ts';
import { UNSYNCED } from '../../db/sql_text.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Bus } from '../../services/live/bus.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import type { DomainEvent } from '../modules.ts';
import type { Unit } from '../records/unit.ts';
import type { UnitOfWork } from '../records/unit_of_work.ts';
import { inUnit } from '../records/unit_of_work.ts';
import type { DomainEvents } from './domain_events.ts';
import { AUTO, JOB, SAVED, STEP } from './domain_events.ts';
import { systemSession } from './system_session.ts';

type Row = Record<string, unknown>;

/** A delivery that needs manual attention, as shown under Jobs. */
export interface ParkedDelivery {
  id: number;
  event: string;
  subscriber: string;
  record_type: string | null;
  record_id: number | null;
  at: string;
  attempts: number;
  error: string | null;
  /** The later deliveries for the same subscriber and record that are blocked by it. */
  waiting: number;
}

export interface Deliveries {
  /** Delivers everything due for a client. @returns the number of deliveries */
  deliver(tenant: Tenant): Promise<number>;
  /** Delivers everything due for every client, for instance after a restart. */
  sweep(): Promise<number>;
  /** The deliveries that failed and need manual attention. */
  parked(tenant: Tenant): Promise<ParkedDelivery[]>;
  /** Retries a parked delivery. @throws AppError 404, 409 */
  retry(tenant: Tenant, id: number): Promise<void>;
  /** Discards a parked delivery; later ones continue. @throws AppError 404, 409 */
  drop(tenant: Tenant, id: number): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface DeliveryDeps {
  events: DomainEvents;
  directory: Directory;
  bus: Bus;
  jobs: Jobs;
  platform: () => Promise<Tenant>;
  /** Prepares everything needed to read a client's records. */
  prepare(tenant: Tenant): Promise<unknown>;
  unit(unit: UnitOfWork): Unit;
  /** Notifies the administrators of the client that a delivery is parked. */
  onParked(schema: string, what: string, error: string): Promise<void>;
  /** Lets the module of a type process stored records. */
  saved(session: Session, type: string, ids: readonly number[]): Promise<void>;
  /** Determines which transitions of which records follow from an event. */
  stepsAfter(session: Session, event: DomainEvent): Promise<void>;
  /** Takes a transition of a record automatically, if it starts from the record's state. */
  takeStep(session: Session, type: string, id: number, transition: string): Promise<void>;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

interface Claimed {
  id: number;
  attempts: number;
  subscriber: string;
  event_id: number;
  name: string;
  record_type: string | null;
  record_id: number | null;
  entity_id: number | null;
  payload: Row;
  at: string;
  by: number | null;
  cause: string;
  link: number;
}

/** Delays before retries: 10 s, 1 min, 10 min, 1 h, 6 h; after that the delivery is parked. */
const WAITS = [10, 60, 600, 3_600, 21_600];
const SWEEP_MS = 60_000;
const LONGEST_ERROR = 500;

/**
 * Delivers events to subscribers. An attempt is counted before it starts, so that an event that crashes the process is
 * eventually parked; the subscriber's transaction marks its delivery as done, so that its writes happen once. During
 * processing the delivery is locked and other workers skip it; later events for the same subscriber and record wait.
 */
export function createDeliveries(deps: DeliveryDeps): Deliveries {
  const { events, directory, bus, jobs, platform, log } = deps;
  const busy = new Map<string, Promise<number>>();
  const again = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;

  const table = ({ schema }: Tenant) => `${quoted(schema)}.event_delivery`;

  async function claim(tenant: Tenant): Promise<Claimed | undefined> {
    const own = table(tenant);
    const [row] = await tenant.db.query<Claimed>(
      // The count need not survive a crash of the database, only one of this process: the commit does not wait for the disk.
      `with unsynced as materialized (select ${UNSYNCED}),
       taken as (
         update ${own} set attempts = attempts + 1, next_at = now() + make_interval(secs => ($1::float8[])[least(attempts + 1, cardinality($1))])
         from unsynced where id = (
           select d.id from ${own} d where d.state = 'waiting' and d.next_at <= now()
             and (d.record_id is null or not exists (select 1 from ${own} e where e.subscriber = d.subscriber
               and e.record_type = d.record_type and e.record_id = d.record_id and e.id < d.id and e.state in ('waiting', 'parked')))
           order by d.id limit 1 for update skip locked)
         returning id, attempts, subscriber, event_id)
       select t.*, e.name, e.record_type, e.record_id, e.entity_id, e.payload, e.at, e.by, e.cause, e.link
       from taken t join ${quoted(tenant.schema)}.domain_event e on e.id = t.event_id`,
      [WAITS],
    );
    return row;
  }

  /** @returns whether this call delivered it */
  async function perform(tenant: Tenant, row: Claimed): Promise<boolean> {
    if (row.attempts > WAITS.length + 1)
      return failed(tenant, row, new Error('The server stopped each time during this.'), true);
    const work = workOf(tenant, row);
    if (!work) return failed(tenant, row, new Error(`"${row.subscriber}" no longer subscribes to this.`), true);
    const session: Session = systemSession(tenant, row.entity_id, row.by);
    try {
      return await inUnit(
        session,
        async (unit) => {
          const { db } = unit.session.tenant;
          // What a crash of the database loses here, its mark as done included, is delivered again. Whatever leaves the server
          // does so by a later transaction, which waits for the disk and takes this one along. The lock waits instead of
          // skipping: a claim of another worker locks a row for a moment before it sees that it is taken.
          const [mine] = await db.query(
            `select ${UNSYNCED} from ${table(tenant)} where id = $1 and state = 'waiting' and attempts = $2 for update`,
            [row.id, row.attempts],
          );
          if (!mine) return false;
          await work(unit);
          await db.query(`update ${table(tenant)} set state = 'done', ended_at = now(), error = null where id = $1`, [
            row.id,
          ]);
          return true;
        },
        { cause: `event ${row.event_id}`, link: row.link },
      );
    } catch (error) {
      return failed(tenant, row, error as Error, row.attempts > WAITS.length);
    }
  }

  function workOf(tenant: Tenant, row: Claimed): ((unit: UnitOfWork) => Promise<void>) | null {
    if (row.subscriber === JOB) return () => queue(tenant, row);
    if (row.subscriber === SAVED) {
      const { type, ids } = row.payload as { type: string; ids: number[] };
      return (unit) => deps.saved(unit.session, type, ids);
    }
    if (row.subscriber === AUTO) return (unit) => deps.stepsAfter(unit.session, eventOf(row));
    if (row.subscriber === STEP)
      return (unit) => deps.takeStep(unit.session, row.record_type!, row.record_id!, String(row.payload.transition));
    const subscriber = events.subscriber(row.subscriber, row.name);
    return subscriber
      ? (unit) => subscriber.run({ event: eventOf(row), unit: deps.unit(unit), delivery: row.id })
      : null;
  }

  async function queue({ schema }: Tenant, { id, payload, by, entity_id: ownCompany }: Claimed): Promise<void> {
    const { job, args, key, at, company } = payload as {
      job: string;
      args: Row;
      key?: string;
      at?: string;
      company?: number;
    };
    await jobs.enqueue(schema, job, args, {
      delivery: id,
      company: company ?? ownCompany,
      ...(key !== undefined && { key }),
      ...(at !== undefined && { runAt: new Date(at) }),
      ...(by !== null && { by }),
    });
  }

  async function failed(tenant: Tenant, row: Claimed, error: Error, park: boolean): Promise<false> {
    const { schema } = tenant;
    const message = error.message.slice(0, LONGEST_ERROR);
    const noted = await tenant.db.query(
      `update ${table(tenant)} set error = $3, state = case when $4 then 'parked' else state end
       where id = $1 and state = 'waiting' and attempts = $2 returning 1`,
      [row.id, row.attempts, message, park],
    );
    if (park && noted.length > 0)
      await deps.onParked(schema, `${row.subscriber}: ${row.name}`, message).catch((caught: unknown) => {
        log.error({ err: caught, schema }, 'The notification of a parked delivery failed.');
      });
    log.warn({ err: error, schema, event: row.name, subscriber: row.subscriber }, 'An event could not be delivered.');
    const wait = WAITS[row.attempts - 1]! * 1_000;
    // Later ones are left to the sweep.
    if (!park && started && !closed && wait <= SWEEP_MS) {
      const next = setTimeout(() => {
        timers.delete(next);
        wake(schema);
      }, wait).unref();
      timers.add(next);
    }
    return false;
  }

  async function deliverAll(tenant: Tenant): Promise<number> {
    let row = await claim(tenant);
    if (!row) return 0;
    await deps.prepare(tenant);
    const zones = tenant.schema === 'public' ? null : await zonesOf(tenant);
    let delivered = 0;
    for (; row && !closed; row = await claim(tenant)) {
      const one = row;
      const work = () => perform(tenant, one);
      if (await (zones ? inZones(zones, work) : work())) delivered++;
    }
    return delivered;
  }

  /** One run per client at a time; events that arrive during a run are delivered right after it. */
  function deliver(tenant: Tenant): Promise<number> {
    const { schema } = tenant;
    if (tenant.held) return Promise.resolve(0);
    const now = busy.get(schema);
    if (now) {
      again.add(schema);
      return now;
    }
    const run = sharingHours(() => deliverAll(tenant)).finally(() => {
      busy.delete(schema);
      if (again.delete(schema) && !closed) wake(schema);
    });
    busy.set(schema, run);
    return run;
  }

  async function tenantOf(schema: string): Promise<Tenant | null> {
    if (schema === 'public') return platform();
    const row = (await directory.tenants()).find((one) => one.schema === schema && one.active);
    return row ? openTenant(directory, row) : null;
  }

  function wake(schema: string): void {
    if (!started || closed) return;
    tenantOf(schema)
      .then((tenant) => (tenant ? deliver(tenant) : 0))
      .catch((error: unknown) => log.error({ err: error, schema }, 'Events could not be delivered.'));
  }

  const off = bus.on((message) => {
    if (message.kind === 'event') wake(message.schema);
  });

  /** @throws AppError 404 if there is none, 409 if it is no longer parked */
  async function change(tenant: Tenant, id: number, set: string): Promise<void> {
    const rows = await tenant.db.query(
      `update ${table(tenant)} set ${set} where id = $1 and state = 'parked' returning 1`,
      [id],
    );
    if (rows.length > 0) return;
    const [there] = await tenant.db.query(`select 1 from ${table(tenant)} where id = $1`, [id]);
    if (!there) throw notFound();
    throw new AppError(409, 'bad_state', 'This was already retried or discarded.');
  }

  const deliveries: Deliveries = {
    deliver,
    async sweep() {
      let count = await deliver(await platform());
      for (const row of await directory.tenants()) {
        if (closed) break;
        if (!row.active) continue;
        try {
          count += await deliver(await openTenant(directory, row));
        } catch (error) {
          // A client whose database is unavailable does not hold up the others.
          log.error({ err: error, schema: row.schema }, 'Events could not be delivered.');
        }
      }
      return count;
    },
    parked: (tenant) =>
      tenant.db.query<ParkedDelivery>(
        `select d.id, e.name as event, d.subscriber, d.record_type, d.record_id, e.at, d.attempts, d.error,
           (select count(*)::int from ${table(tenant)} w where w.subscriber = d.subscriber and w.record_type = d.record_type
              and w.record_id = d.record_id and w.id > d.id and w.state in ('waiting', 'parked')) as waiting
         from ${table(tenant)} d join ${quoted(tenant.schema)}.domain_event e on e.id = d.event_id
         where d.state = 'parked' order by d.id limit 200`,
      ),
    async retry(tenant, id) {
      await change(tenant, id, `state = 'waiting', attempts = 0, next_at = now(), error = null`);
      await bus.publish(tenant.db, { kind: 'event', schema: tenant.schema });
    },
    async drop(tenant, id) {
      await change(tenant, id, `state = 'dropped', ended_at = now()`);
      await bus.publish(tenant.db, { kind: 'event', schema: tenant.schema });
    },
    start() {
      started = true;
      const next = (ms: number): void => {
        timer = setTimeout(() => {
          void deliveries
            .sweep()
            .catch((error: unknown) => log.error({ err: error }, 'Events could not be delivered.'))
            .finally(() => {
              if (!closed) next(SWEEP_MS);
            });
        }, ms).unref();
      };
      next(2_000);
    },
    async close() {
      closed = true;
      off();
      clearTimeout(timer);
      for (const one of timers) clearTimeout(one);
      await Promise.allSettled(busy.values());
    },
  };
  return deliveries;
}

function eventOf(row: Claimed): DomainEvent {
  return {
    id: row.event_id,
    name: row.name,
    of: row.record_type === null || row.record_id === null ? null : { type: row.record_type, id: row.record_id },
    company: row.entity_id,
    payload: row.payload,
    at: row.at,
    by: row.by,
    cause: row.cause,
  };
}
