import type { Screen } from '../../../descriptor/types.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { HomeAnswer, WaitingItem } from '../../../domain/home.ts';
import { WAITING_KINDS } from '../../../domain/home.ts';
import { rowScope } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { calendarEvents } from '../calendar/calendar.ts';
import type { FoundRecord } from './waiting_records.ts';
import { MAX_OF_KIND, waitingRecords } from './waiting_records.ts';

/** Approval requests: people are asked by name. */
const REQUEST = 'approval_request';
/** How long overdue items stay visible, and how far ahead upcoming ones are shown. In days. */
const [BACK, AHEAD] = [365, 7];
const DAY_MS = 86_400_000;

export interface WaitingDeps {
  screens(session: LiveSession): Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

/** The items waiting for a person in the session's company, each record once, under its most urgent kind. */
export async function waitingFor(
  { screens: screensOf, ensure }: WaitingDeps,
  session: LiveSession,
): Promise<Pick<HomeAnswer, 'waiting' | 'counts'>> {
  const { tenant, rights } = session;
  if (session.entityId === null) return { waiting: [], counts: {} };
  const screens = screensOf(session);
  const tables = await existingTables(tenant.db, tenant.schema);
  const there = [...screens.values()].filter(
    (screen) =>
      (screen.workflow !== undefined || screen.due !== undefined) &&
      screen.kind !== 'view' &&
      screen.scope !== 'platform' &&
      tables.has(screen.name) &&
      rights.refuse(screen, 'landing') === null,
  );
  await ensure(
    tenant,
    there.map(({ name }) => name),
  );
  const request = screens.get(REQUEST);
  const requests = request && tables.has(REQUEST) ? request : null;
  const [due, asked, found] = await Promise.all([
    dueItems(session, screens),
    requests ? askedItems(session, requests, screens) : [],
    waitingRecords(
      session,
      screens,
      there.filter(({ name, workflow }) => workflow !== undefined && name !== REQUEST),
      (screen, values) =>
        requests && screen.approval
          ? `exists (select 1 from ${tableName(tenant.schema, REQUEST)} q where q.active and q.state = 'waiting' and q.transaction_type = ${values.bind(screen.name)} and q.record_id = t.id)`
          : null,
    ),
  ]);
  return inOrder([...due, ...asked, ...found.map((one) => itemOf(session, one))]);
}

function itemOf({ rights }: LiveSession, { kind, screen, id, label, what }: FoundRecord): WaitingItem {
  const { view, edit, landing } = screen.routes;
  const page =
    (rights.refuse(screen, 'view_screen') === null ? view : null) ??
    (rights.refuse(screen, 'edit_screen') === null ? edit : null);
  return {
    kind,
    label: label ?? `Number ${id}`,
    what,
    day: null,
    route: page?.replace(':id', String(id)) ?? landing,
  };
}

/** Items that concern the person and are overdue or due soon. */
async function dueItems(session: LiveSession, screens: Map<string, Screen>): Promise<WaitingItem[]> {
  const today = dayIn(placeOf(session).timezone);
  const day = (days: number) => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
  const { events } = await calendarEvents(session, screens, {
    from: day(-BACK),
    to: day(AHEAD),
    mine: true,
    whole: true,
  });
  return events.map(({ day: on, title, label, route }) => ({
    kind: on < today ? 'late' : 'due',
    label,
    what: title,
    day: on,
    route,
  }));
}

/** Approval requests waiting for the person, or for their delegators. */
async function askedItems(session: LiveSession, screen: Screen, screens: Map<string, Screen>): Promise<WaitingItem[]> {
  const values = new SqlParams();
  const people = [session.userId, ...(session.actsFor ?? []).flatMap(({ userId }) => userId ?? [])];
  const where = [
    `t.active and t.state = 'waiting' and t.waiting_for_ids && ${values.bind(people)}::bigint[]`,
    `t.asked_by_id is distinct from ${values.bind(session.userId)}::bigint`,
    ...rowScope(session, screen, screens, 't', values),
  ];
  const rows = await session.tenant.db.query<{ id: number; subject: string; type: string; day: string | null }>(
    `select t.id, t.subject, t.transaction_type as type, (t.due_at at time zone ${values.bind(placeOf(session).timezone)})::date::text as day
     from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')} order by t.due_at nulls last, t.id limit ${MAX_OF_KIND + 1}`,
    values.list,
  );
  return rows.map(({ id, subject, type, day }) => ({
    kind: 'decide',
    label: subject,
    what: `${screens.get(type)?.title ?? screen.title}: waiting for your approval`,
    day,
    route: screen.routes.view!.replace(':id', String(id)),
  }));
}

/** Each record once, under the first of its kinds; of each kind so many as are shown, and how many there are. */
function inOrder(items: readonly WaitingItem[]): Pick<HomeAnswer, 'waiting' | 'counts'> {
  const seen = new Set<string>();
  const waiting: WaitingItem[] = [];
  const counts: HomeAnswer['counts'] = {};
  for (const kind of WAITING_KINDS) {
    const fresh = items.filter((item) => {
      if (item.kind !== kind || seen.has(item.route)) return false;
      seen.add(item.route);
      return true;
    });
    if (fresh.length === 0) continue;
    waiting.push(...fresh.slice(0, MAX_OF_KIND));
    counts[kind] = { count: Math.min(fresh.length, MAX_OF_KIND), more: fresh.length > MAX_OF_KIND };
  }
  return { waiting, counts };
}
