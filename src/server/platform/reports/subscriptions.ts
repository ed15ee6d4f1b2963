import type { Report } from '../../../domain/report.ts';
import type { ReportSchedule } from '../../../domain/report_schedule.ts';
import { isDayOf, nextDue } from '../../../domain/report_schedule.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { peopleTable, quoted, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { takesParameter } from '../../engine/reports/run_report.ts';
import { readParameters } from '../../engine/reports/parameters.ts';
import type { ReportFormat } from '../../engine/reports/report_file.ts';

/** The request of a subscription. */
export interface AskedSubscription extends ReportSchedule {
  /** As in the report's address; dates may be relative, such as `last_month`. */
  parameters: Record<string, string>;
  format: ReportFormat;
  /** Ids of users, and of roles whose holders get it. */
  people: number[];
  roles: number[];
  paused: boolean;
}

/** A subscription as it is stored. */
export interface Subscription extends AskedSubscription {
  id: number;
  report: string;
  entity_id: number;
  owner_id: number;
  next_at: string;
  sent_at: string | null;
  /** Why it was last not sent to everybody; null = it was. */
  problem: string | null;
  /** Recipients who unsubscribed. */
  left_by: number[];
}

/** Another person's subscription that sends a report to a person. */
export interface Received extends ReportSchedule {
  id: number;
  owner_id__label: string | null;
  format: ReportFormat;
  parameters: Record<string, string>;
  paused: boolean;
  next_at: string;
  /** The person has unsubscribed. */
  has_left: boolean;
}

/** The maximum number of people and roles per subscription. */
const MAX_RECIPIENTS = 50;
/** The maximum number of subscriptions of one person to one report. */
const MAX_OWN = 20;
/** The maximum number of people in a recipient search. */
const MAX_FOUND = 30;

const COLUMNS =
  'id, report, entity_id, owner_id, parameters, format, every, day, hour, people, roles, paused, next_at, sent_at, problem, left_by';

const table = ({ schema }: Pick<Tenant, 'schema'>) => `${quoted(schema)}.report_subscription`;

/** The possible recipients in a company. */
const RECIPIENT = `u.active and u.status = 'active' and not coalesce(u.is_service, false)`;

/** Whether a subscription `r` is for a person, by name or by a role. */
const isFor = (s: string, user: string, company: string) =>
  `(${user} = any(r.people) or exists (select 1 from ${s}.users__companies c where c.parent_id = ${user} and c.entity_id = ${company} and c.role_ids && r.roles))`;

/** The company of a subscription. @throws AppError 400 if none is chosen */
function companyOf({ entityId }: LiveSession): number {
  if (entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
  return entityId;
}

/** Subscriptions to a report in the session's company: a person's own; an administrator sees all. */
export async function subscriptionsTo(session: LiveSession, report: Report): Promise<object[]> {
  const { schema, db } = session.tenant;
  const s = quoted(schema);
  return db.query<object>(
    `select ${COLUMNS.split(', ')
      .map((column) => `r.${column}`)
      .join(', ')}, o.name as owner_id__label,
       array(select u.name from unnest(r.people) with ordinality p(id, at) join ${s}.users u on u.id = p.id order by p.at) as people__label,
       array(select k.role_name from unnest(r.roles) with ordinality p(id, at) join ${tableName(schema, 'role')} k on k.id = p.id order by p.at) as roles__label,
       array(select u.name from ${s}.users u where u.id = any(r.left_by) and ${isFor(s, 'u.id', 'r.entity_id')} order by lower(u.name), u.id) as left_by__label
     from ${table({ schema })} r left join ${peopleTable(schema)} o on o.id = r.owner_id
     where r.report = $1 and r.entity_id = $2 and ($3 or r.owner_id = $4) order by r.id`,
    [report.name, companyOf(session), session.rights.isAdmin, session.userId],
  );
}

/** Other people's subscriptions that send the report to the person, including those they have left. */
export async function subscriptionsFor(session: LiveSession, report: Report): Promise<Received[]> {
  const { schema, db } = session.tenant;
  const s = quoted(schema);
  return db.query<Received>(
    `select r.id, o.name as owner_id__label, r.format, r.every, r.day, r.hour, r.parameters, r.paused, r.next_at, $3 = any(r.left_by) as has_left
     from ${table({ schema })} r left join ${peopleTable(schema)} o on o.id = r.owner_id
     where r.report = $1 and r.entity_id = $2 and r.owner_id <> $3 and ${isFor(s, '$3', 'r.entity_id')} order by r.id`,
    [report.name, companyOf(session), session.userId],
  );
}

/** Unsubscribes a recipient from another person's subscription, or subscribes them again. @throws AppError 404 */
export async function receiveSubscription(
  session: LiveSession,
  report: Report,
  id: number,
  isWanted: boolean,
): Promise<void> {
  const s = quoted(session.tenant.schema);
  const rows = await session.tenant.db.query(
    `update ${table(session.tenant)} r set left_by = array_remove(left_by, $4::bigint) || case when $5 then '{}' else array[$4::bigint] end
     where id = $1 and report = $2 and entity_id = $3 and ${isFor(s, '$4', 'r.entity_id')} returning 1`,
    [id, report.name, companyOf(session), session.userId, isWanted],
  );
  if (rows.length === 0) throw notFound();
}

/** The possible recipients in the company, people and roles, by a part of their name. */
export async function possibleRecipients(
  session: LiveSession,
  search: string,
): Promise<{ people: { id: number; name: string }[]; roles: { id: number; name: string }[] }> {
  const { schema, db } = session.tenant;
  const company = companyOf(session);
  const [people, roles] = await Promise.all([
    db.query<{ id: number; name: string }>(
      `select u.id, u.name from ${quoted(schema)}.users u where ${RECIPIENT}
         and exists (select 1 from ${quoted(schema)}.users__companies c where c.parent_id = u.id and c.entity_id = $1)
         and position(lower($2) in lower(u.name)) > 0 order by u.name, u.id limit ${MAX_FOUND}`,
      [company, search],
    ),
    db.query<{ id: number; name: string }>(
      `select r.id, r.role_name as name from ${tableName(schema, 'role')} r where r.active and position(lower($1) in lower(r.role_name)) > 0
         order by r.role_name, r.id limit ${MAX_FOUND}`,
      [search],
    ),
  ]);
  return { people, roles };
}

/** Creates a subscription. @throws AppError 422 with the error */
export async function addSubscription(
  session: LiveSession,
  report: Report,
  asked: AskedSubscription,
  now = Date.now(),
): Promise<number> {
  const company = companyOf(session);
  await check(session, report, asked);
  const { db, schema } = session.tenant;
  const [own] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table({ schema })} where report = $1 and entity_id = $2 and owner_id = $3`,
    [report.name, company, session.userId],
  );
  if (own!.count >= MAX_OWN)
    throw new AppError(422, 'validation', `You have ${MAX_OWN} subscriptions to this report. Delete one first.`);
  const [row] = await db.query<{ id: number }>(
    `insert into ${table({ schema })} (report, entity_id, owner_id, parameters, format, every, day, hour, people, roles, paused, next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [report.name, company, session.userId, ...valuesOf(session, asked, now)],
  );
  return row!.id;
}

/** Changes a subscription; a paused one is not sent until it is resumed. @throws AppError 404, 422 */
export async function changeSubscription(
  session: LiveSession,
  report: Report,
  id: number,
  asked: AskedSubscription,
  now = Date.now(),
): Promise<void> {
  await check(session, report, asked);
  const rows = await session.tenant.db.query(
    `update ${table(session.tenant)} set parameters = $5, format = $6, every = $7, day = $8, hour = $9, people = $10, roles = $11,
       paused = $12, next_at = $13, problem = null
     where id = $1 and report = $2 and entity_id = $3 and ($4::bigint is null or owner_id = $4) returning 1`,
    [id, report.name, companyOf(session), ownOnly(session), ...valuesOf(session, asked, now)],
  );
  if (rows.length === 0) throw notFound();
}

/** Deletes a subscription. @throws AppError 404 */
export async function removeSubscription(session: LiveSession, report: Report, id: number): Promise<void> {
  const rows = await session.tenant.db.query(
    `delete from ${table(session.tenant)} where id = $1 and report = $2 and entity_id = $3 and ($4::bigint is null or owner_id = $4) returning 1`,
    [id, report.name, companyOf(session), ownOnly(session)],
  );
  if (rows.length === 0) throw notFound();
}

const ownOnly = ({ rights, userId }: LiveSession): number | null => (rights.isAdmin ? null : userId);

const valuesOf = (session: LiveSession, asked: AskedSubscription, now: number): unknown[] => [
  JSON.stringify(asked.parameters),
  asked.format,
  asked.every,
  asked.day,
  asked.hour,
  asked.people,
  asked.roles,
  asked.paused,
  new Date(nextDue(asked, placeOf(session).timezone, now)).toISOString(),
];

async function check(session: LiveSession, report: Report, asked: AskedSubscription): Promise<void> {
  const wrong = (field: string, message: string) => new AppError(422, 'validation', message, { field });
  if (!isDayOf(asked.every, asked.day)) throw wrong('day', 'Choose a day.');
  const unknown = Object.keys(asked.parameters).find((name) => !takesParameter(report, name));
  if (unknown !== undefined) throw wrong('parameters', `There is no parameter "${unknown}".`);
  readParameters(report, asked.parameters);
  const count = asked.people.length + asked.roles.length;
  if (count === 0) throw wrong('people', 'Choose who gets the report.');
  if (count > MAX_RECIPIENTS) throw wrong('people', `Choose at most ${MAX_RECIPIENTS} people and roles.`);
  const { db, schema } = session.tenant;
  const [known] = await db.query<{ people: number; roles: number }>(
    `select (select count(*)::int from ${quoted(schema)}.users u where u.id = any($1::bigint[]) and exists
         (select 1 from ${quoted(schema)}.users__companies c where c.parent_id = u.id and c.entity_id = $2)) as people,
       (select count(*)::int from ${tableName(schema, 'role')} r where r.id = any($3::bigint[])) as roles`,
    [asked.people, companyOf(session), asked.roles],
  );
  if (known!.people < new Set(asked.people).size || known!.roles < new Set(asked.roles).size)
    throw wrong('people', 'Some of them are not in this company. Choose from the list.');
}

/** The subscription that has been due longest; null = none. `after`: those already handled in this run. */
export async function dueSubscription(
  { db, schema }: Tenant,
  now: number,
  after: readonly number[],
): Promise<Subscription | null> {
  const [row] = await db.query<Subscription>(
    `select ${COLUMNS} from ${table({ schema })} where not paused and next_at <= $1 and not (id = any($2::bigint[])) order by next_at, id limit 1`,
    [new Date(now).toISOString(), after],
  );
  return row ?? null;
}

/**
 * The current recipients: the named people, and the holders of a named role in the company, unless they have
 * unsubscribed.
 */
export async function recipientsOf(
  { db, schema }: Tenant,
  { people, roles, entity_id: company, left_by: left }: Subscription,
): Promise<{ id: number; name: string; email: string; usable: boolean }[]> {
  const s = quoted(schema);
  return db.query(
    `select u.id, u.name, u.email, ${RECIPIENT} as usable from ${s}.users u where u.id <> all($4::bigint[]) and (u.id = any($1::bigint[])
       or (${RECIPIENT} and exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and c.entity_id = $3 and c.role_ids && $2::bigint[])))
     order by u.id`,
    [people, roles, company, left],
  );
}
