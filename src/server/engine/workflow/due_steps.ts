import { Decimal } from 'decimal.js';
import type { Zones } from '../../../descriptor/place.ts';
import { zoneOf } from '../../../descriptor/place.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { AutoDate, Transition } from '../../../descriptor/workflow.ts';
import { dueMoment } from '../../../domain/due_moment.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import { inZones } from '../../services/clock/client_day.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { systemSession } from '../events/system_session.ts';
import type { Engine } from '../records/engine.ts';
import { readRecords } from '../records/read.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { delaySql, leastDelay } from './delay_sql.ts';
import { noteRefusal, refusalWords } from './refused_steps.ts';
import { valueIn } from './values.ts';

type WorksOn = (
  tenant: Tenant,
  place: { entityId: number | null; branchId: number | null },
  from: string,
  to: string,
) => Promise<(day: string) => boolean>;

export interface DueStepDeps {
  engine: Engine;
  /** The product's screens. */
  product(): ReadonlyMap<string, Screen>;
  /** The screens of a client. */
  screens(session: Session): Map<string, Screen>;
  prepare(tenant: Tenant): Promise<unknown>;
  notifications: Notifications;
  /** The working days of a place. */
  worksOn: WorksOn;
  log: { error(fields: object, message: string): void };
}

interface Candidate {
  id: number;
  entity_id: number | null;
  branch_id: number | null;
  value: string;
}

/** A transition taken automatically at a date or time. */
interface DueStep {
  screen: Screen;
  transition: Transition;
  date: AutoDate;
}

const PAGE = 200;
/** The maximum distance between time zones. */
const ZONES_APART_HOURS = 30;
const SUMMER_TIME_HOURS = 3;
/** The number of days around their dates in which records are examined. */
const CALENDAR_DAYS = 3 * 366;
const DAY_MS = 86_400_000;

/** The transitions of all types that are triggered by a date. */
function stepsByDate(screens: ReadonlyMap<string, Screen>): DueStep[] {
  return [...screens.values()].flatMap((screen) =>
    (screen.workflow?.transitions ?? []).flatMap((transition) =>
      (transition.auto ?? []).flatMap(({ date }) => (date ? [{ screen, transition, date }] : [])),
    ),
  );
}

/**
 * Takes the due transitions of a client's records, each in its own transaction: missed ones are made up for, and those
 * taken by another server are not repeated. @returns the number of transitions taken
 */
export async function sweepDueSteps(deps: DueStepDeps, tenant: Tenant, now: Date): Promise<number> {
  const steps = stepsByDate(deps.product()).filter(({ screen }) => screen.scope !== 'platform');
  if (steps.length === 0) return 0;
  const there = new Set(
    (
      await tenant.db.query<{ type: string }>(
        'select t as type from unnest($1::text[], $2::text[]) x(t, n) where to_regclass(n) is not null',
        [steps.map(({ screen }) => screen.name), steps.map(({ screen }) => tableName(tenant.schema, screen.name))],
      )
    ).map(({ type }) => type),
  );
  const zones = await zonesOf(tenant);
  let taken = 0;
  for (const step of steps) {
    if (!there.has(step.screen.name)) continue;
    for (let after = 0; ;) {
      const page = await candidates(tenant, step, { now, after, screens: deps.product() });
      if (page.length > 0) await deps.prepare(tenant);
      for (const one of page) if (await inZones(zones, () => takeIfDue(deps, tenant, zones, step, one, now))) taken++;
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
  }
  return taken;
}

/** Records in a source state of the transition whose date may have been reached in some time zone. */
function candidates(
  { db, schema }: Tenant,
  { screen, transition, date }: DueStep,
  { now, after, screens }: { now: Date; after: number; screens: ReadonlyMap<string, Screen> },
): Promise<Candidate[]> {
  const column = `r.${quoted(date.field)}`;
  const has = (name: string) => screen.fields.some((field) => field.name === name);
  const isDay = screen.fields.find(({ name }) => name === date.field)?.type === 'date';
  const seconds = { minutes: 60, hours: 3_600, days: 86_400, working_days: 86_400 }[date.unit];
  // Working days take at least as many calendar days; what is no sum of stored numbers is computed per record.
  const delay = typeof date.after === 'number' ? String(date.after) : delaySql(screen, date.after, { screens, schema });
  const least =
    delay === null
      ? `-${CALENDAR_DAYS * 86_400}`
      : date.unit === 'working_days'
        ? `case when ${delay} < 0 then -${CALENDAR_DAYS * 86_400} else ${delay} * ${seconds} end`
        : `${delay} * ${seconds}`;
  // A day begins at another moment in each zone; days after a moment differ by summer time only.
  const apart = isDay ? ZONES_APART_HOURS : date.after === 0 || !date.unit.endsWith('days') ? 0 : SUMMER_TIME_HOURS;
  const fewest = typeof date.after === 'number' ? date.after : leastDelay(screen, date.after, screens);
  // The order comes after the choice: PostgreSQL would read all records by their number to save itself the sorting.
  return db.query<Candidate>(
    preparedStatement(
      `select * from (select r.id, ${screen.scope === 'entity' ? 'r.entity_id' : 'null::bigint'} as entity_id, ${has('branch_id') ? 'r.branch_id' : 'null::bigint'} as branch_id,
         ${isDay ? `${column}::text` : `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`} as value
       from ${tableName(schema, screen.name)} r
       where r.active and lower(r.${quoted(screen.workflow!.field)}) = any($1::text[]) and r.id > $2
         ${fewest !== null && fewest >= 0 ? `and ${column} <= $3::timestamptz + make_interval(hours => ${apart}) - make_interval(secs => ${fewest * seconds})` : ''}
         and ${column} <= $3::timestamptz + make_interval(hours => ${apart}) - make_interval(secs => (${least})::float8)
         and not exists (select 1 from ${quoted(schema)}.auto_refusal f where f.record_type = $4 and f.record_id = r.id and f.transition = $5 and f.next_at > $3::timestamptz)
       offset 0) due order by id limit ${PAGE}`,
      [transition.from.map((state) => state.toLowerCase()), after, now.toISOString(), screen.name, transition.name],
    ),
  );
}

/** @returns whether the transition was taken by this call */
async function takeIfDue(
  deps: DueStepDeps,
  tenant: Tenant,
  zones: Zones,
  { screen: { name: type }, transition, date }: DueStep,
  { id, entity_id: entityId }: Candidate,
  now: Date,
): Promise<boolean> {
  const actor = systemSession(tenant, entityId, null);
  try {
    return await inUnit(
      actor,
      async ({ session }) => {
        const screens = deps.screens(session);
        const screen = screens.get(type);
        if (!screen?.workflow) return false;
        await session.tenant.db.query(
          preparedStatement(`select 1 from ${tableName(tenant.schema, type)} where id = $1 for update`, [id]),
        );
        // Read again under the lock: it may have moved on, or its date may have changed.
        const [record] = await readRecords(session, screen, screens, [id]);
        if (!record?.active || !transition.from.includes(String(record[screen.workflow.field]))) return false;
        const around = { session, screen, screens, record };
        if (date.when !== undefined && (await valueIn(around, date.when)) !== true) return false;
        if (!((await dueAt(deps, tenant, zones, around, date)) <= now.getTime())) return false;
        return deps.engine.takeAuto(session, screen, id, transition.name, 'date');
      },
      { cause: `${transition.name} by date` },
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) {
      // A failing record does not hold up the others.
      deps.log.error({ err: error, schema: tenant.schema, type, id }, 'A scheduled transition failed.');
      return false;
    }
    await noteRefusal(deps, actor, type, id, transition, refusalWords(error), now);
    return false;
  }
}

/** The due time of a transition for a record, in milliseconds; NaN = never. */
async function dueAt(
  deps: DueStepDeps,
  tenant: Tenant,
  zones: Zones,
  around: { session: Session; screen: Screen; screens: Map<string, Screen>; record: WireRecord },
  { field, after, unit }: AutoDate,
): Promise<number> {
  const { record } = around;
  const value = record[field];
  if (typeof value !== 'string') return NaN;
  const count = typeof after === 'number' ? after : await valueIn(around, after);
  const exact = Decimal.isDecimal(count) ? (count as Decimal).toNumber() : count;
  if (typeof exact !== 'number') return NaN;
  const place = {
    branchId: typeof record.branch_id === 'number' ? record.branch_id : null,
    entityId: typeof record.entity_id === 'number' ? record.entity_id : null,
  };
  const at = Date.parse(value);
  const span = CALENDAR_DAYS * DAY_MS;
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  const works =
    unit === 'working_days' ? await deps.worksOn(tenant, place, day(at - span), day(at + span)) : () => true;
  return dueMoment(value, { count: exact, unit }, zoneOf(place, zones), works);
}
