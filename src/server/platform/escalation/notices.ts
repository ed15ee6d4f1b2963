import { DateTime } from 'luxon';
import { filterHolds } from '../../../descriptor/filter_holds.ts';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { OpenPlaces } from '../../access/people/working_hours.ts';
import { CALENDAR_TYPES } from '../../access/people/working_calendar.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { inZones } from '../../services/clock/client_day.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import type { RecipientLine } from './recipients.ts';
import { linesFor, recipientsOf } from './recipients.ts';
import type { EscalationSource } from './sources.ts';
import type { Due, EscalationDeps, Rule } from './sweep.ts';
import { RULE_TYPE, sendDues, tableThere } from './sweep.ts';
import { fillWords, wordFields, wordValues, wordsIn } from './words.ts';

const WAITING = 'escalation_waiting';
const LOG = 'escalation_log';
const MAX_AT_ONCE = 500;
/** The age from which an undelivered message is no longer sent. */
const KEPT_DAYS = 7;

interface Waiting {
  id: number;
  module: string;
  event: string;
  level: number | null;
  esclation_id: number | null;
  record_type: string;
  record_id: number;
  happened_at: string;
}

type RuleWithLines = Rule & { lines: RecipientLine[] };

/** The type whose events a rule reports; undefined = none. */
export function noticeSource(
  screens: ReadonlyMap<string, Screen>,
  module: unknown,
  event: unknown,
): EscalationSource | undefined {
  const screen = [...screens.values()].find(
    ({ notices }) => notices?.module === module && Object.hasOwn(notices?.events ?? {}, String(event)),
  );
  return screen && asSource(screen, String(event));
}

const asSource = (screen: Screen, event: string): EscalationSource => ({
  event: event as EscalationSource['event'],
  title: screen.title,
  date: '',
  module: screen.notices!.module,
  screen,
  people: screen.notices!.people,
});

async function noticeRules({ db, schema }: Tenant): Promise<RuleWithLines[]> {
  return db.query<RuleWithLines>(
    `select r.id, r.name, r.module, r.event, r.level, 0 as days, 'calendar' as day_type, r.channels, r.subject, r.body, coalesce(r.working_hours_only, true) as working_hours_only, coalesce(r.digest, 'none') as digest,
       coalesce((select json_agg(json_build_object('kind', l.kind, 'role_id', l.role_id, 'employee_id', l.employee_id, 'mail', l.mail, 'copy', l.copy) order by l.copy desc, l.position)
         from ${childTable(schema, RULE_TYPE, 'recipients')} l where l.parent_id = r.id), '[]') as lines
     from ${tableName(schema, RULE_TYPE)} r where r.active order by r.id`,
  );
}

/** Whether a rule sends a message about an event: by its level, or because the band names it. */
const sendsFor = (rule: Rule, one: Waiting): boolean =>
  one.esclation_id === null
    ? rule.module === one.module && rule.event === one.event && (rule.level === null || rule.level === one.level)
    : rule.id === one.esclation_id;

/**
 * Sends the messages of events, each rule once per event: at once, in the next office hours of the branch, or collected
 * by hour or day. Statements are per rule and type, not per record. @returns the number of messages
 */
export async function sweepNotices(deps: EscalationDeps, tenant: Tenant, now: Date): Promise<number> {
  if (!(await tableThere(tenant, WAITING)) || !(await tableThere(tenant, RULE_TYPE))) return 0;
  const { db, schema } = tenant;
  const screens = deps.screens();
  const waiting = await db.query<Waiting>(
    `select id, module, event, level, esclation_id, record_type, record_id, happened_at from ${tableName(schema, WAITING)} order by id limit ${MAX_AT_ONCE}`,
  );
  if (waiting.length === 0) return 0;
  await ensureTables(tenant, screens, [LOG, ...CALENDAR_TYPES]);
  const rules = await noticeRules(tenant);
  const sentRows = await db.query<{ key: string }>(
    `select esclation_id || ' ' || row_id as key from ${tableName(schema, LOG)} where row_id = any($1::int[])`,
    [waiting.map(({ id }) => id)],
  );
  const sent = new Set(sentRows.map(({ key }) => key));
  const records = await recordsOf(tenant, screens, waiting);
  const zones = await zonesOf(tenant);
  const places = new OpenPlaces(tenant, zones, now);
  let count = 0;
  const left = new Set<number>();
  for (const rule of rules) {
    const due: Due[] = [];
    const collected = rule.digest !== 'none' && (await sentInPeriod(tenant, rule, now));
    for (const one of waiting) {
      if (!sendsFor(rule, one) || sent.has(`${rule.id} ${one.id}`)) continue;
      const record = records.get(`${one.record_type} ${one.record_id}`);
      const screen = screens.get(one.record_type);
      if (!record || !screen?.notices) continue;
      const entityId = typeof record.entity_id === 'number' ? record.entity_id : null;
      const branchId = typeof record.branch_id === 'number' ? record.branch_id : null;
      const urgent = screen.notices.urgent !== undefined && filterHolds(screen.notices.urgent, record);
      const waits = !urgent && (collected || (rule.working_hours_only && !(await places.isOpen(entityId, branchId))));
      if (waits) {
        left.add(one.id);
        continue;
      }
      const zone = zoneOf({ entityId, branchId }, zones) ?? tenant.timezone;
      due.push(
        await inZones(zones, () =>
          messageOf(
            deps,
            tenant,
            { rule, screen, record, entityId, branchId, zone, row: one.id, at: one.happened_at },
            now,
          ),
        ),
      );
    }
    if (due.length > 0) count += await sendDues(deps, tenant, rule, due, now);
  }
  const over = now.getTime() - KEPT_DAYS * 86_400_000;
  const done = waiting.filter(({ id, happened_at: at }) => !left.has(id) || Date.parse(at) < over).map(({ id }) => id);
  await db.query(`delete from ${tableName(schema, WAITING)} where id = any($1::bigint[])`, [done]);
  return count;
}

async function recordsOf(
  { db, schema }: Tenant,
  screens: ReadonlyMap<string, Screen>,
  waiting: readonly Waiting[],
): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [type, of] of Map.groupBy(waiting, ({ record_type: type }) => type)) {
    if (!screens.has(type)) continue;
    const rows = await db.query<{ id: number; record: Record<string, unknown> }>(
      `select r.id, to_jsonb(r) as record from ${tableName(schema, type)} r where r.id = any($1::bigint[])`,
      [[...new Set(of.map(({ record_id: id }) => id))]],
    );
    for (const { id, record } of rows) found.set(`${type} ${id}`, record);
  }
  return found;
}

/** Whether a digest of a rule was already sent in the current hour or day. */
async function sentInPeriod({ db, schema, timezone }: Tenant, rule: Rule, now: Date): Promise<boolean> {
  const begins = DateTime.fromJSDate(now, { zone: timezone }).startOf(rule.digest === 'hourly' ? 'hour' : 'day');
  const rows = await db.query(
    `select 1 from ${tableName(schema, LOG)} where esclation_id = $1 and sent_at >= $2::timestamptz limit 1`,
    [rule.id, begins.toUTC().toISO()],
  );
  return rows.length > 0;
}

async function messageOf(
  deps: EscalationDeps,
  tenant: Tenant,
  given: {
    rule: RuleWithLines;
    screen: Screen;
    record: Record<string, unknown>;
    entityId: number | null;
    branchId: number | null;
    zone: string;
    row: number;
    at: string;
  },
  now: Date,
): Promise<Due> {
  const { rule, screen, record, entityId, branchId, zone, row, at } = given;
  const { db, schema } = tenant;
  const wanted = wordsIn(`${rule.subject} ${rule.body}`);
  const own = await wordValues(tenant, deps.screens(), wordFields(asSource(screen, rule.event)), wanted, record);
  const label = screen.label
    .map((name) => record[name])
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' ');
  const page = screen.routes.view ?? screen.routes.edit ?? screen.routes.landing ?? '/';
  const link = page.replace(':id', String(record.id));
  const [company] =
    entityId === null
      ? []
      : await db.query<{ name: string }>(`select name from ${quoted(schema)}.entity where id = $1`, [entityId]);
  const day = dayIn(zone, Date.parse(at));
  const values = {
    ...own,
    link: `${deps.addressOf(tenant)}${link}`,
    company: company?.name ?? tenant.name,
    record: label,
    due_on: dayFirst(day),
    days_left: '0',
    days_late: '0',
    today: dayFirst(dayIn(zone, now.getTime())),
  };
  const people: Record<string, number | null> = {};
  for (const [part, name] of Object.entries(screen.notices!.people)) {
    const value = record[name];
    const isMember = screen.fields.find((field) => field.name === name)?.ref?.type === 'employee';
    const [user] =
      isMember || typeof value !== 'number'
        ? []
        : await db.query<{ id: number | null }>(
            `select employee_id as id from ${tableName(schema, 'users')} where id = $1`,
            [value],
          );
    people[part] = isMember && typeof value === 'number' ? value : (user?.id ?? null);
  }
  return {
    record: { type: screen.name, id: Number(record.id), row, label, entityId, branchId },
    due: day,
    date: day,
    zone,
    subject: fillWords(rule.subject, values),
    body: fillWords(rule.body, values),
    link,
    to: await recipientsOf(tenant, linesFor(screen, record, rule.lines, screen.notices!.people), people, entityId),
  };
}
