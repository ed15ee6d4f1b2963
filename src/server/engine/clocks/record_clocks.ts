import { Decimal } from 'decimal.js';
import type { Clock } from '../../../descriptor/clocks.ts';
import { bandEvent } from '../../../descriptor/clocks.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ClockValue } from '../../../domain/clock_value.ts';
import type { OpenHours } from '../../../domain/open_hours.ts';
import type { Band, ClockEntry } from '../../../domain/sla_clock.ts';
import {
  bandMinutes,
  elapsedMinutes,
  minutesByHolder,
  momentAt,
  spansUntil,
  stretchesOf,
} from '../../../domain/sla_clock.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { ClockTarget, NamedFunctions } from '../modules.ts';
import type { Unit } from '../records/unit.ts';
import { valueIn } from '../workflow/values.ts';

type Row = Record<string, unknown>;

/** The working hours of a place, from a given time on. */
export type HoursOf = (
  tenant: Tenant,
  place: { entityId: number | null; branchId: number | null },
  asked: { calendar: number | 'always' | null; from: number },
) => Promise<OpenHours>;

export interface ClockDeps {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
  functions: NamedFunctions;
  unit(): Unit;
  hours: HoursOf;
  now(): Date;
}

/** What is kept of a clock. */
interface Kept {
  target: string | null;
  calendar: number | 'always' | null;
  bands: Band[];
  set_by: unknown[];
  holders: { at: number; holder: unknown[] }[];
  fired: string[];
}

/** A clock of a record, computed from its transition log. */
interface Read {
  kept: Kept;
  target: number | null;
  stretches: ReturnType<typeof stretchesOf>;
  hours: OpenHours;
  value: ClockValue;
}

/** The browser shows a countdown during this time before the due time, and this long after it. */
const MAX_SPANS = 40;
const SPANS_BEHIND_MS = 2 * 86_400_000;

/** The clocks that run in the current state of a record; `pauses` is evaluated now. */
export async function runningClocks(
  around: Omit<ClockDeps, 'functions' | 'unit' | 'hours' | 'now'>,
  record: WireRecord,
) {
  const { screen } = around;
  const state = String(record[screen.workflow!.field]);
  const running: string[] = [];
  for (const { name, runs, pauses } of screen.clocks ?? []) {
    const path = pauses[state];
    if (runs.includes(state) || (typeof path === 'string' && (await valueIn({ ...around, record }, path)) !== true))
      running.push(name);
  }
  return running;
}

/**
 * Updates the clocks of a record: targets, due times, and the next band. Their fields are stored beside the record's
 * own values, without a new version. @returns the values of these fields
 */
export async function followClocks(deps: ClockDeps, record: WireRecord): Promise<Row> {
  const { session, screen } = deps;
  const { db, schema } = session.tenant;
  const shown: Row = {};
  for (const clock of screen.clocks ?? []) {
    const { kept, target, stretches, hours, value } = await readClock(deps, clock, record);
    const next = nextBand(kept, target, stretches, hours);
    await db.query(
      preparedStatement(
        `insert into ${quoted(schema)}.record_clock (record_type, record_id, clock, target, calendar, bands, set_by, holders, fired, next_at)
         values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8::jsonb, $9::text[], $10::timestamptz)
         on conflict (record_type, record_id, clock) do update set target = excluded.target, calendar = excluded.calendar, bands = excluded.bands,
           set_by = excluded.set_by, holders = excluded.holders, next_at = excluded.next_at`,
        [
          screen.name,
          record.id,
          clock.name,
          kept.target,
          JSON.stringify(kept.calendar),
          JSON.stringify(kept.bands),
          JSON.stringify(kept.set_by),
          JSON.stringify(kept.holders),
          kept.fired,
          next && new Date(next.at).toISOString(),
        ],
      ),
    );
    shown[clock.value] = value;
    if (clock.target) shown[clock.field] = value.due === null ? null : new Date(value.due).toISOString();
  }
  await notifyDue(deps, record, shown);
  const names = Object.keys(shown);
  const clocks = new Set((screen.clocks ?? []).map(({ value }) => value));
  if (names.some((name) => JSON.stringify(shown[name]) !== JSON.stringify(record[name] ?? null)))
    await db.query(
      preparedStatement(
        `update ${tableName(schema, screen.name)} set ${names.map((name, at) => `${quoted(name)} = $${at + 2}::${clocks.has(name) ? 'jsonb' : 'timestamptz'}`).join(', ')} where id = $1`,
        [record.id, ...names.map((name) => (clocks.has(name) ? JSON.stringify(shown[name]) : shown[name]))],
      ),
    );
  return shown;
}

/**
 * Writes a changed due time into the history: with the change that caused it, or separately if nobody changed the
 * record. The initial values of a new record are not a change.
 */
async function notifyDue({ session, screen }: ClockDeps, record: WireRecord, shown: Row): Promise<void> {
  const moment = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : null);
  const moved = (screen.clocks ?? []).flatMap(({ target, field }) => {
    const [before, after] = [record[field] ?? null, shown[field] ?? null];
    return target && moment(before) !== moment(after) ? [[field, [before, after]] as const] : [];
  });
  if (moved.length === 0) return;
  const { db, schema } = session.tenant;
  const history = `${quoted(schema)}.history`;
  const change = JSON.stringify(Object.fromEntries(moved));
  // All history lines of a transaction have the same time.
  const [line] = await db.query<{ op: string }>(
    preparedStatement(
      `update ${history} set change = case when op = 'U' then coalesce(change, '{}') || $3::jsonb else change end
       where id = (select max(id) from ${history} where record_type = $1 and record_id = $2) and at = now() returning op`,
      [screen.name, record.id, change],
    ),
  );
  if (line || moved.every(([, [before]]) => before === null)) return;
  await db.query(
    preparedStatement(
      `insert into ${history} (record_type, record_id, entity_id, version, op, by, what, change)
       values ($1, $2, $3, $4, 'U', $5, 'action', $6::jsonb)`,
      [screen.name, record.id, session.entityId, record.version, session.userId || null, change],
    ),
  );
}

/** The bands that have been reached and not yet published, as events; they are marked as published. */
export async function beginBands(
  deps: ClockDeps,
  record: WireRecord,
  now: number,
): Promise<{ event: string; band: string }[]> {
  const { session, screen } = deps;
  const said: { event: string; band: string }[] = [];
  for (const clock of screen.clocks ?? []) {
    const { kept, target, stretches, hours } = await readClock(deps, clock, record);
    const fired = [...kept.fired];
    let next = nextBand({ bands: kept.bands, fired }, target, stretches, hours);
    while (next && next.at <= now) {
      fired.push(next.name);
      said.push({ event: bandEvent(clock, next.says ?? next.name), band: next.name });
      next = nextBand({ bands: kept.bands, fired }, target, stretches, hours);
    }
    await session.tenant.db.query(
      preparedStatement(
        `update ${quoted(session.tenant.schema)}.record_clock set fired = $4::text[], next_at = $5::timestamptz where record_type = $1 and record_id = $2 and clock = $3`,
        [screen.name, record.id, clock.name, fired, next && new Date(next.at).toISOString()],
      ),
    );
  }
  return said;
}

/** Where the stored clocks of a record differ from what its log says, in words. */
export async function clockDifferences(deps: ClockDeps, record: WireRecord): Promise<string[]> {
  const { session, screen } = deps;
  const found: string[] = [];
  const say = (clock: Clock, what: string, stored: unknown, computed: unknown) => {
    const [is, should] = [stored, computed].map((one) => (one === null || one === undefined ? 'nothing' : String(one)));
    if (is !== should) found.push(`${clock.title}, ${what}: ${is} is stored, ${should} by its log`);
  };
  const moment = (at: unknown) => (at === null || at === undefined ? null : new Date(at as string).toISOString());
  for (const clock of screen.clocks ?? []) {
    const stored = record[clock.value] as ClockValue | null | undefined;
    // A record that was not written by the engine has no computed values yet.
    if (!stored) continue;
    const { kept, target, stretches, hours, value } = await readClock(deps, clock, record);
    const [row] = await session.tenant.db.query<{ next_at: string | null }>(
      preparedStatement(
        `select next_at from ${quoted(session.tenant.schema)}.record_clock where record_type = $1 and record_id = $2 and clock = $3`,
        [screen.name, record.id, clock.name],
      ),
    );
    say(clock, 'state', stored.state, value.state);
    say(clock, 'since', moment(stored.since), moment(value.since));
    say(clock, 'minutes used', stored.elapsed, value.elapsed);
    say(clock, 'target', stored.target, value.target);
    say(clock, 'due', moment(stored.due), moment(value.due));
    if (clock.target) say(clock, 'due time of the record', moment(record[clock.field]), moment(value.due));
    say(clock, 'next level', moment(row?.next_at), moment(nextBand(kept, target, stretches, hours)?.at));
  }
  return found;
}

/** The current clocks of a record, with the share of each holder. */
export async function clocksNow(deps: ClockDeps, record: WireRecord): Promise<Row[]> {
  const now = deps.now().getTime();
  return Promise.all(
    (deps.screen.clocks ?? []).map(async (clock) => {
      const { kept, target, stretches, hours, value } = await readClock(deps, clock, record);
      const shares = minutesByHolder(
        stretches,
        kept.holders.map(({ at, holder }) => ({ at, holder: JSON.stringify(holder) })),
        hours,
        now,
      );
      return {
        name: clock.name,
        title: clock.title,
        state: value.state,
        target,
        elapsed: elapsedMinutes(stretches, hours, now),
        due: value.due === null ? null : new Date(value.due).toISOString(),
        bands: kept.bands.map((band) => ({ name: band.name, said: kept.fired.includes(band.name) })),
        by: [...shares].map(([holder, minutes]) => ({
          ...Object.fromEntries(clock.by.map((name, at) => [name, (JSON.parse(holder) as unknown[])[at]])),
          minutes,
        })),
      };
    }),
  );
}

async function readClock(deps: ClockDeps, clock: Clock, record: WireRecord): Promise<Read> {
  const { session, screen } = deps;
  const { db, schema } = session.tenant;
  const [stored] = await db.query<Kept>(
    preparedStatement(
      `select target::text, calendar, bands, set_by, holders, fired from ${quoted(schema)}.record_clock where record_type = $1 and record_id = $2 and clock = $3 for update`,
      [screen.name, record.id, clock.name],
    ),
  );
  const log = await db.query<{ at: string; to: string; running: string[] | null }>(
    preparedStatement(
      `select at, to_state as "to", running from ${quoted(schema)}.transition_log where record_type = $1 and record_id = $2 order by id`,
      [screen.name, record.id],
    ),
  );
  const first = screen.workflow!.states[0]!.name;
  const begun = (clock.from === undefined ? null : record[clock.from]) ?? record.created_at;
  const entries: ClockEntry[] = [
    { at: Date.parse(String(begun)), runs: clock.runs.includes(first) },
    ...log.map(({ at, to, running }) => ({
      at: new Date(at).getTime(),
      runs: running?.includes(clock.name) ?? clock.runs.includes(to),
    })),
  ];
  const setBy = clock.on.map((name) => record[name] ?? null);
  const isSet = stored !== undefined && JSON.stringify(stored.set_by) === JSON.stringify(setBy);
  const given: Omit<Kept, 'holders' | 'fired' | 'set_by'> = isSet ? stored : await targetOf(deps, clock, record);
  const since = Math.max(...entries.map(({ at }) => at));
  const holders = heldBy(deps, clock, record, stored?.holders ?? [], entries[0]!.at, since);
  const kept: Kept = { ...given, set_by: setBy, holders, fired: stored?.fired ?? [] };
  const target = kept.target === null ? null : Number(kept.target);
  const stretches = stretchesOf(entries);
  const hours = await hoursOf(deps, kept, record, entries[0]!.at);
  const elapsed = elapsedMinutes(stretches, hours, since);
  const state = stateNow(screen, clock, record, entries.at(-1)!.runs, target, elapsed);
  const due =
    target === null || state === 'paused' ? null : momentAt(stretches, hours, target, { goesOn: state !== 'running' });
  const until = (due ?? since) + SPANS_BEHIND_MS;
  const spans = state === 'running' ? spansUntil(hours, since, Math.max(until, since), MAX_SPANS) : [];
  const always = kept.calendar === 'always' && { always: true as const };
  return { kept, target, stretches, hours, value: { state, since, elapsed, target, due, ...always, spans } };
}

function stateNow(
  screen: Screen,
  clock: Clock,
  record: WireRecord,
  runs: boolean,
  target: number | null,
  elapsed: number,
): ClockValue['state'] {
  if (runs) return 'running';
  const state = String(record[screen.workflow!.field]);
  // Before its start the clock is paused too.
  if (
    state in clock.pauses ||
    (elapsed === 0 && screen.workflow!.states.find(({ name }) => name === state)?.is === 'open')
  )
    return 'paused';
  if (target === null) return 'ended';
  // What was cancelled or refused in time kept no promise, and broke none.
  const end = screen.workflow!.states.find(({ name }) => name === state);
  if (elapsed <= target && (end?.is === 'cancelled' || (end?.is === 'closed' && end.aside === true))) return 'ended';
  return elapsed <= target ? 'met' : 'missed';
}

/** The current target of a clock. */
async function targetOf(
  deps: ClockDeps,
  { target, bands }: Clock,
  record: WireRecord,
): Promise<Pick<Kept, 'target' | 'calendar' | 'bands'>> {
  if (!target) return { target: null, calendar: null, bands };
  if ('run' in target) {
    const found = deps.functions.targets.get(target.run);
    if (!found) throw new Error(`There is no target "${target.run}".`);
    const given: ClockTarget = await found.run({
      unit: deps.unit(),
      services: deps.functions.services!,
      args: {},
      type: deps.screen.name,
      record,
      before: null,
      input: {},
    });
    return {
      target: given.minutes === null ? null : String(given.minutes),
      calendar: given.calendar ?? null,
      bands: given.bands ?? bands,
    };
  }
  const numberOf = async (written: number | string | undefined) => {
    const value = typeof written === 'string' ? await valueIn({ ...deps, record }, written) : written;
    return Decimal.isDecimal(value) ? (value as Decimal).toNumber() : typeof value === 'number' ? value : null;
  };
  const minutes = await numberOf(target.minutes);
  return { target: minutes === null ? null : String(minutes), calendar: await numberOf(target.calendar), bands };
}

/** Who held the record from when, including the current holder. */
function heldBy(
  deps: ClockDeps,
  { by }: Clock,
  record: WireRecord,
  before: Kept['holders'],
  begun: number,
  since: number,
): Kept['holders'] {
  if (by.length === 0) return [];
  const holder = by.map((name) => record[name] ?? null);
  const last = before.at(-1);
  if (!last) return [{ at: begun, holder }];
  if (JSON.stringify(last.holder) === JSON.stringify(holder)) return before;
  return [...before, { at: Math.max(deps.now().getTime(), since), holder }];
}

function hoursOf(
  { session, hours }: ClockDeps,
  { calendar }: Pick<Kept, 'calendar'>,
  record: WireRecord,
  from: number,
): Promise<OpenHours> {
  const number = (name: string) => (typeof record[name] === 'number' ? record[name] : null);
  return hours(
    session.tenant,
    { entityId: number('entity_id') ?? session.entityId, branchId: number('branch_id') },
    { calendar, from },
  );
}

function nextBand(
  { bands, fired }: Pick<Kept, 'bands' | 'fired'>,
  target: number | null,
  stretches: ReturnType<typeof stretchesOf>,
  hours: OpenHours,
): { name: string; says?: string; at: number } | null {
  const moments = bands.flatMap((band) => {
    const minutes = fired.includes(band.name) ? null : bandMinutes(band, target);
    const at = minutes === null ? null : momentAt(stretches, hours, minutes);
    return at === null ? [] : [{ ...band, at }];
  });
  return moments.toSorted((one, other) => one.at - other.at)[0] ?? null;
}
