import { DateTime } from 'luxon';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { Zones } from '../../../descriptor/place.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { shiftWorkingDays } from '../../../domain/working_days.ts';
import type { Queryable } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { OpenPlaces } from '../../access/people/working_hours.ts';
import { CALENDAR_TYPES, WorkingDaysOfAll } from '../../access/people/working_calendar.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { inZones } from '../../services/clock/client_day.ts';
import { allZones, recordZoneSql, zonesOf } from '../../services/clock/zones.ts';
import type { Recipient, RecipientLine } from './recipients.ts';
import { linesFor, recipientsOf } from './recipients.ts';
import type { EscalationSource } from './sources.ts';
import { sourceOf, sourceSql } from './sources.ts';
import { COMMON_WORDS, fillWords, wordFields, wordsIn, wordValues } from './words.ts';

export const RULE_TYPE = 'esclation';
const LOG_TYPE = 'escalation_log';
/** Records due longer ago than this are ignored, so that a new rule does not send old ones. */
const CATCH_UP_DAYS = 30;
const MAX_AT_ONCE = 500;
/** The maximum number of records per rule that are compared with the office hours of their places. */
const MAX_PENDING = 5_000;

export interface Rule {
  id: number;
  name: string;
  module: string;
  event: string;
  level: number | null;
  days: number;
  day_type: 'calendar' | 'working';
  channels: string[];
  subject: string;
  body: string;
  working_hours_only: boolean;
  digest: 'none' | 'hourly' | 'daily';
}

/** A due message for one record. */
export interface Due {
  record: { type: string; id: number; row: number; label: string; entityId: number | null; branchId: number | null };
  /** The day the message was due, and the due day in its text; YYYY-MM-DD. */
  due: string;
  date: string;
  /** The time zone of the record, for its days and office hours. */
  zone: string;
  subject: string;
  body: string;
  link: string;
  to: Recipient[];
}

export interface EscalationDeps {
  notifications: Notifications;
  screens: () => ReadonlyMap<string, Screen>;
  addressOf: (tenant: Tenant) => string;
}

/** Whether a client has the table of a type. */
export async function tableThere({ db, schema }: Tenant, type: string): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${quoted(schema)}.${quoted(type)}`,
  ]);
  return row?.there === true;
}

/** The client's active rules on due dates. */
export async function rulesOf(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  id?: number,
): Promise<{ rule: Rule; source: EscalationSource; lines: RecipientLine[] }[]> {
  if (!(await tableThere(tenant, RULE_TYPE))) return [];
  const rules = await tenant.db.query<Rule & { lines: RecipientLine[] }>(
    `select r.id, r.name, r.module, r.event, r.level, coalesce(r.days, 0) as days, coalesce(r.day_type, 'calendar') as day_type, r.channels, r.subject, r.body, coalesce(r.working_hours_only, true) as working_hours_only, coalesce(r.digest, 'none') as digest,
       coalesce((select json_agg(json_build_object('kind', l.kind, 'role_id', l.role_id, 'employee_id', l.employee_id, 'mail', l.mail, 'copy', l.copy) order by l.copy desc, l.position)
         from ${childTable(tenant.schema, RULE_TYPE, 'recipients')} l where l.parent_id = r.id), '[]') as lines
     from ${tableName(tenant.schema, RULE_TYPE)} r where ($1::bigint is null and r.active) or r.id = $1 order by r.id`,
    [id ?? null],
  );
  return rules.flatMap(({ lines, ...rule }) => {
    const source = sourceOf(screens, rule.module, rule.event);
    return source ? [{ rule, source, lines }] : [];
  });
}

interface Found {
  id: number;
  row: number;
  entity_id: number | null;
  date: string;
  due: string;
  /** The place of the record, and its current day. */
  zone: string;
  today: string;
  record: Record<string, unknown>;
  parts: Record<string, number | null>;
}

const branchOf = ({ record }: Found): number | null => (typeof record.branch_id === 'number' ? record.branch_id : null);

/** A place, and a day on which records of it are due. */
interface DatedPlace {
  entity_id: number | null;
  branch_id: number | null;
  date: string;
  today: string;
}

/** A record for which a message is due, before its text and its recipients are read. */
interface Pending extends DatedPlace {
  id: number;
  row: number;
  zone: string;
}

/** Whether messages of a rule are sent to a place now. */
type SentTo = (place: Pick<Pending, 'entity_id' | 'branch_id' | 'zone'>) => Promise<boolean>;

/**
 * The records of a rule that are due and for which nobody has been notified. Working days are counted once for each day
 * and place, so that a sweep does not read all open records.
 */
async function pendingOf(
  deps: EscalationDeps,
  tenant: Tenant,
  rule: Rule,
  source: EscalationSource,
  now: Date,
  { zones, days, entityIds, sentTo }: { zones: Zones; days: WorkingDaysOfAll; entityIds?: number[]; sentTo?: SentTo },
): Promise<Pending[]> {
  const { screen } = source;
  const { db, schema } = tenant;
  const working = rule.day_type === 'working' && rule.days !== 0;
  const hasLog = await tableThere(tenant, LOG_TYPE);
  const [first, last] = await datesInReach(rule, now, days);
  const parts = () => {
    const values = new SqlParams();
    const { from, date, row, open } = sourceSql(source, deps.screens(), schema, values);
    const zone = recordZoneSql(screen, 'r', zones, values);
    const on = `(${values.bind(now.toISOString())}::timestamptz at time zone ${zone})::date`;
    const reach = reachOf(rule);
    const where = [`${date} between ${values.bind(first)}::date and ${values.bind(last)}::date`, `(${open})`];
    if (screen.scope === 'entity' && entityIds) where.push(`r.entity_id = any(${values.bind(entityIds)}::bigint[])`);
    if (working)
      where.push(
        rule.days < 0 ? `${date} between ${on} and ${on} + ${reach}` : `${date} between ${on} - ${reach} and ${on}`,
      );
    const entity = screen.scope === 'entity' ? 'r.entity_id' : 'null::bigint';
    const branch = screen.fields.some(({ name, ref }) => name === 'branch_id' && ref) ? 'r.branch_id' : 'null::bigint';
    return { values, from, date, row, zone, on, where, entity, branch };
  };
  const notYet = (values: SqlParams, row: string, due: string) =>
    hasLog
      ? [
          `not exists (select 1 from ${tableName(schema, LOG_TYPE)} g where g.esclation_id = ${values.bind(rule.id)} and g.record_type = '${screen.name}' and g.record_id = r.id and g.row_id = ${row} and g.due_on = ${due})`,
        ]
      : [];
  const { values, from, date, row, zone, on, where, entity, branch } = parts();
  let due = 'x.due';
  let joined = from;
  if (working) {
    const all = parts();
    const found = await db.query<DatedPlace>(
      `select distinct ${all.entity} as entity_id, ${all.branch} as branch_id, ${all.date}::text as date, ${all.on}::text as today from ${all.from} where ${all.where.join(' and ')}`,
      all.values.list,
    );
    const reached: (DatedPlace & { due: string })[] = [];
    for (const one of found) {
      const works = await days.of({ entityId: one.entity_id, branchId: one.branch_id });
      const shifted = shiftWorkingDays(one.date, rule.days, works);
      const oldest = DateTime.fromISO(one.today, { zone: 'utc' }).minus({ days: CATCH_UP_DAYS }).toISODate()!;
      if (shifted <= one.today && (rule.days < 0 || shifted > oldest)) reached.push({ ...one, due: shifted });
    }
    if (reached.length === 0) return [];
    joined = `${from} join json_to_recordset(${values.bind(JSON.stringify(reached))}::json) x(entity_id bigint, branch_id bigint, date date, due date)
      on x.date = ${date} and coalesce(x.entity_id, 0) = coalesce(${entity}, 0) and coalesce(x.branch_id, 0) = coalesce(${branch}, 0)`;
  } else {
    due = `(${date} + ${values.bind(rule.days)}::int)`;
    where.push(`${due} <= ${on}`, rule.days < 0 ? `${date} >= ${on}` : `${due} > ${on} - ${CATCH_UP_DAYS}`);
  }
  where.push(...notYet(values, row, due));
  const pending = await db.query<Pending>(
    `select r.id, ${row} as row, ${entity} as entity_id, ${branch} as branch_id, ${date}::text as date, ${zone} as zone, ${on}::text as today
     from ${joined} where ${where.join(' and ')} order by ${date}, r.id limit ${MAX_PENDING}`,
    values.list,
  );
  const sent: Pending[] = [];
  for (const one of pending) {
    if (sent.length === MAX_AT_ONCE) break;
    if (!sentTo || (await sentTo(one))) sent.push(one);
  }
  return sent;
}

/**
 * The unsent messages of a rule due by now, with placeholders and recipients. `entityIds`: only these companies. `any`:
 * the given record, otherwise the next one due, even if not due yet. `sentTo`: only records of these places.
 */
export async function dueOf(
  deps: EscalationDeps,
  tenant: Tenant,
  { rule, source, lines }: Awaited<ReturnType<typeof rulesOf>>[number],
  now: Date,
  options: {
    entityIds?: number[];
    any?: boolean;
    recordId?: number | null;
    days?: WorkingDaysOfAll;
    zones?: Zones;
    sentTo?: SentTo;
  } = {},
): Promise<Due[]> {
  const { screen } = source;
  if (!(await tableThere(tenant, screen.name))) return [];
  const { db, schema } = tenant;
  const zones = options.zones ?? (await zonesOf(tenant));
  const days = options.days ?? daysAround(tenant, now, [rule]);
  const { entityIds, sentTo } = options;
  const pending = options.any
    ? null
    : await pendingOf(deps, tenant, rule, source, now, {
        zones,
        days,
        ...(entityIds && { entityIds }),
        ...(sentTo && { sentTo }),
      });
  if (pending?.length === 0) return [];
  const values = new SqlParams();
  const { from, date, row, open, people } = sourceSql(source, deps.screens(), schema, values);
  const zone = recordZoneSql(screen, 'r', zones, values);
  const on = `(${values.bind(now.toISOString())}::timestamptz at time zone ${zone})::date`;
  const working = rule.day_type === 'working' && rule.days !== 0;
  const where = [`${date} is not null`];
  if (pending)
    where.push(
      `(${open})`,
      `(r.id, ${row}) in (select * from unnest(${values.bind(pending.map(({ id }) => id))}::bigint[], ${values.bind(pending.map((one) => one.row))}::bigint[]))`,
    );
  else {
    // A chosen record is shown in any state.
    const chosen = typeof options.recordId === 'number' ? `r.id = ${values.bind(options.recordId)}` : null;
    where.push(...(chosen === null ? [`(${open})`] : [`((${open}) or ${chosen})`, chosen]));
    if (screen.scope === 'entity' && entityIds) where.push(`r.entity_id = any(${values.bind(entityIds)}::bigint[])`);
  }
  const found = await db.query<Found>(
    `select r.id, ${row} as row, ${screen.scope === 'entity' ? 'r.entity_id' : 'null::bigint'} as entity_id, ${date}::text as date, (${date} + ${values.bind(working ? 0 : rule.days)}::int)::text as due, ${zone} as zone, ${on}::text as today, to_jsonb(r)${source.rows === undefined ? '' : ' || to_jsonb(w)'} as record, ${people} as parts
     from ${from} where ${where.join(' and ')} order by ${pending ? date : `abs(${date} - ${on})`}, r.id${pending ? '' : ' limit 1'}`,
    values.list,
  );
  const rows: Found[] = [];
  for (const one of found)
    rows.push(
      working
        ? {
            ...one,
            due: shiftWorkingDays(
              one.date,
              rule.days,
              await days.of({ entityId: one.entity_id, branchId: branchOf(one) }),
            ),
          }
        : one,
    );
  const fields = wordFields(source);
  const wanted = wordsIn(`${rule.subject} ${rule.body}`);
  const names = new Map(
    (await db.query<{ id: number; name: string }>(`select id, name from ${quoted(schema)}.entity`)).map(
      ({ id, name }) => [id, name],
    ),
  );
  const page = screen.routes.view ?? screen.routes.edit ?? screen.routes.landing ?? '/';
  const dues: Due[] = [];
  for (const one of rows) {
    const label = screen.label
      .map((name) => one.record[name])
      .filter((value) => typeof value === 'string' && value !== '')
      .join(' ');
    const link = page.replace(':id', String(one.id));
    const left = Math.round(DateTime.fromISO(one.date).diff(DateTime.fromISO(one.today), 'days').days);
    const common: Record<(typeof COMMON_WORDS)[number], string> = {
      link: `${deps.addressOf(tenant)}${link}`,
      company: one.entity_id === null ? tenant.name : (names.get(one.entity_id) ?? tenant.name),
      record: label,
      due_on: dayFirst(one.date),
      days_left: String(Math.max(0, left)),
      days_late: String(Math.max(0, -left)),
      today: dayFirst(one.today),
    };
    const own = await inZones(zones, () => wordValues(tenant, deps.screens(), fields, wanted, one.record));
    const filled = { ...own, ...common };
    dues.push({
      record: { type: screen.name, id: one.id, row: one.row, label, entityId: one.entity_id, branchId: branchOf(one) },
      due: one.due,
      date: one.date,
      zone: one.zone,
      subject: fillWords(rule.subject, filled),
      body: fillWords(rule.body, filled),
      link,
      to: await recipientsOf(tenant, linesFor(screen, one.record, lines, source.people), one.parts, one.entity_id),
    });
  }
  return dues;
}

/** The most calendar days within which so many working days lie: a week has at least one, and a place may be closed. */
const reachOf = ({ days }: Rule): number => Math.abs(days) * 7 + CATCH_UP_DAYS;

/** The working days around today that the rules count. */
function daysAround(tenant: Tenant, now: Date, rules: readonly Rule[]): WorkingDaysOfAll {
  const around = 2 * Math.max(CATCH_UP_DAYS, ...rules.map(reachOf));
  const today = DateTime.fromISO(dayIn(tenant.timezone, now.getTime()), { zone: 'utc' });
  return new WorkingDaysOfAll(
    tenant,
    today.minus({ days: around }).toISODate()!,
    today.plus({ days: around }).toISODate()!,
  );
}

/**
 * The first and last due date for which a message may be due now, wherever in the world the record is: they limit what is
 * read of an index.
 */
async function datesInReach(rule: Rule, now: Date, days: WorkingDaysOfAll): Promise<[first: string, last: string]> {
  const utc = DateTime.fromJSDate(now, { zone: 'utc' });
  const day = (offset: number) => utc.plus({ days: offset }).toISODate()!;
  const isWorking = rule.day_type === 'working' && rule.days !== 0;
  if (!isWorking)
    return rule.days < 0 ? [day(-1), day(1 - rule.days)] : [day(-1 - CATCH_UP_DAYS - rule.days), day(1 - rule.days)];
  if (rule.days > 0) return [day(-1 - reachOf(rule)), day(1)];
  const places = await days.each();
  let ahead = 1;
  while (
    ahead < 1 + reachOf(rule) &&
    places.some((works) => shiftWorkingDays(day(ahead + 1), rule.days, works) <= day(1))
  )
    ahead++;
  return [day(-1), day(ahead)];
}

/**
 * Sends everything due for a client, each level of each record once, even with several processes. @returns the number
 * of messages
 */
export async function sweepEscalations(deps: EscalationDeps, tenant: Tenant, now: Date): Promise<number> {
  let sent = 0;
  const rules = await rulesOf(tenant, deps.screens());
  if (rules.length > 0) await ensureTables(tenant, deps.screens(), [LOG_TYPE, ...CALENDAR_TYPES]);
  const zones = await zonesOf(tenant);
  const days = daysAround(
    tenant,
    now,
    rules.map(({ rule }) => rule),
  );
  const places = new OpenPlaces(tenant, zones, now);
  for (const entry of rules) {
    const { rule } = entry;
    const open = new Set(allZones(zones));
    for (const zone of await zonesServed(tenant, entry, zones, now)) open.delete(zone);
    if (open.size === 0) continue;
    const dues = await dueOf(deps, tenant, entry, now, {
      days,
      zones,
      sentTo: async ({ entity_id: company, branch_id: branch, zone }) =>
        open.has(zone) && (!rule.working_hours_only || (await places.isOpen(company, branch))),
    });
    sent += await sendDues(deps, tenant, rule, dues, now);
  }
  return sent;
}

/** The time zones in which a digest of this rule was sent in the current local hour or day. */
async function zonesServed(
  tenant: Tenant,
  { rule, source: { screen } }: Awaited<ReturnType<typeof rulesOf>>[number],
  zones: Zones,
  now: Date,
): Promise<Set<string>> {
  if (rule.digest === 'none' || !(await tableThere(tenant, screen.name))) return new Set();
  const values = new SqlParams();
  const at = `${values.bind(now.toISOString())}::timestamptz`;
  const unit = rule.digest === 'hourly' ? 'hour' : 'day';
  const rows = await tenant.db.query<{ zone: string }>(
    `select distinct zone from (
       select ${recordZoneSql(screen, 'r', zones, values)} as zone, g.sent_at from ${tableName(tenant.schema, LOG_TYPE)} g join ${tableName(tenant.schema, screen.name)} r on r.id = g.record_id
       where g.esclation_id = ${values.bind(rule.id)} and g.record_type = ${values.bind(screen.name)} and g.sent_at >= ${at} - interval '2 days') t
     where sent_at >= date_trunc('${unit}', ${at} at time zone zone) at time zone zone`,
    values.list,
  );
  return new Set(rows.map(({ zone }) => zone));
}

/** Sends due messages of a rule, each once: individually or collected, and logs them. @returns the number */
export async function sendDues(
  { notifications, addressOf }: EscalationDeps,
  tenant: Tenant,
  rule: Rule,
  dues: Due[],
  now: Date,
): Promise<number> {
  const log = tableName(tenant.schema, LOG_TYPE);
  return tenant.db.transaction(async (tx) => {
    const mine: Due[] = [];
    for (const due of dues) {
      const [claimed] = await tx.query(
        `insert into ${log} (esclation_id, level, record_type, record_id, row_id, record, due_on, sent_at, delay_days, recipients)
         values ($1, $2, $3, $4, $5, $6, $7, $8, ($8::timestamptz at time zone $10)::date - $7::date, $9) on conflict do nothing returning 1`,
        [
          rule.id,
          rule.level,
          due.record.type,
          due.record.id,
          due.record.row,
          due.record.label.slice(0, 250),
          due.due,
          now.toISOString(),
          due.to
            .map(({ name }) => name)
            .join(', ')
            .slice(0, 250),
          due.zone,
        ],
      );
      if (claimed) mine.push(due);
    }
    const channels = {
      inApp: rule.channels.includes('in_app'),
      mail: rule.channels.includes('mail'),
      push: rule.channels.includes('push'),
    };
    let count = 0;
    const send = async (to: Recipient, subject: string, said: string, link: string | undefined, key: string) => {
      // People in copy need not act: the message says so, and is not pushed to their phone.
      const text = to.copy ? `For information; others are asked to act.\n\n${said}` : said;
      const values = { subject, text, ...(link && { link: `${addressOf(tenant)}${link}` }) };
      if (to.userId !== null)
        await notifications.notify(tx, tenant, {
          event: 'escalation',
          to: [to.userId],
          values,
          channels: to.copy ? { ...channels, push: false } : channels,
          ...(link && { link }),
        });
      else if (channels.mail)
        await notifications.write(tx, tenant, { event: 'escalation', address: to.email, values, dedupeKey: key });
      count++;
    };
    const people = new Map<string, { to: Recipient; dues: Due[] }>();
    for (const due of mine)
      for (const to of due.to) {
        const key = String(to.userId ?? to.email);
        people.set(key, { to, dues: [...(people.get(key)?.dues ?? []), due] });
      }
    for (const { to, dues: own } of people.values()) {
      const collected = rule.digest !== 'none' || (await isBurst(tx, tenant, to, own.length, now));
      if (collected && own.length > 1) {
        const said = own.map((due) => `• ${due.subject}`).join('\n');
        const key = `escalation/${rule.id}/${rule.digest}/${now.getTime()}/${to.email}`;
        await send(to, `${rule.name}: ${own.length}`, said, undefined, key);
      } else
        for (const { subject, body, link, record, due } of own)
          await send(to, subject, body, link, `escalation/${rule.id}/${record.id}/${record.row}/${due}/${to.email}`);
    }
    return count;
  });
}

/** The maximum number of messages within this many minutes; more are combined into one. */
const BURST = 20;
const BURST_MINUTES = 15;

/** Whether this many more messages would be too many for a person: then they are combined, whatever the rule says. */
async function isBurst(
  tx: Queryable,
  { schema }: Tenant,
  { userId }: Recipient,
  more: number,
  now: Date,
): Promise<boolean> {
  if (more > BURST || userId === null) return more > BURST;
  const [recent] = await tx.query<{ count: number }>(
    `select count(*)::int as count from ${quoted(schema)}.notification where user_id = $1 and event_code = 'escalation' and created_at > $2::timestamptz - interval '${BURST_MINUTES} minutes'`,
    [userId, now.toISOString()],
  );
  return recent!.count + more > BURST;
}
