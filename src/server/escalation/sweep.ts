import { DateTime } from 'luxon';
import type { Screen } from '../../descriptor/types.ts';
import type { Tenant } from '../context.ts';
import { childTable, tableName } from '../db/tables.ts';
import { ensureTables } from '../db/tenants.ts';
import { quoted } from '../db/names.ts';
import type { Notifications } from '../notifications/notify.ts';
import type { Recipient, RecipientLine } from './recipients.ts';
import { recipientsOf } from './recipients.ts';
import type { EscalationSource } from './sources.ts';
import { ESCALATION_SOURCES } from './sources.ts';
import { COMMON_WORDS, fillWords, wordFields, wordsIn, wordValues } from './words.ts';

export const RULE_TYPE = 'esclation';
export const LOG_TYPE = 'escalation_log';
/** What fell due longer ago than this is the past: a new rule does not dig it up. */
const CATCH_UP_DAYS = 30;
const OPENS = 9;
const CLOSES = 18;
const MOST = 500;

export interface Rule {
  id: number;
  name: string;
  module: string;
  event: string;
  level: number | null;
  days: number;
  channels: string[];
  subject: string;
  body: string;
  working_hours_only: boolean;
  digest: 'none' | 'hourly' | 'daily';
}

/** A message that is due for one record. */
export interface Due {
  record: { type: string; id: number; row: number; label: string; entityId: number | null };
  /** The day the message was due, and the day it speaks of; YYYY-MM-DD. */
  due: string;
  date: string;
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

async function tableThere({ db, schema }: Tenant, type: string): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`${quoted(schema)}.${quoted(type)}`]);
  return row?.there === true;
}

/** The client's rules that are in force, of events that fall due by a date. */
export async function rulesOf(tenant: Tenant, id?: number): Promise<{ rule: Rule; source: EscalationSource; lines: RecipientLine[] }[]> {
  if (!(await tableThere(tenant, RULE_TYPE))) return [];
  const rules = await tenant.db.query<Rule & { lines: RecipientLine[] }>(
    `select r.id, r.name, r.module, r.event, r.level, coalesce(r.days, 0) as days, r.channels, r.subject, r.body, coalesce(r.working_hours_only, true) as working_hours_only, coalesce(r.digest, 'none') as digest,
       coalesce((select json_agg(json_build_object('kind', l.kind, 'role_id', l.role_id, 'employee_id', l.employee_id, 'mail', l.mail) order by l.copy desc, l.position)
         from ${childTable(tenant.schema, RULE_TYPE, 'recipients')} l where l.parent_id = r.id), '[]') as lines
     from ${tableName(tenant.schema, RULE_TYPE)} r where ($1::bigint is null and r.active) or r.id = $1 order by r.id`, [id ?? null]);
  return rules.flatMap(({ lines, ...rule }) => {
    const source = ESCALATION_SOURCES.find((one) => one.module === rule.module && one.event === rule.event);
    return source ? [{ rule, source, lines }] : [];
  });
}

/** What a rule has to send by now and has not sent, with its words and its people. `entityIds`: of these companies only. `any`: the latest record, due or not. */
export async function dueOf(deps: EscalationDeps, tenant: Tenant, { rule, source, lines }: Awaited<ReturnType<typeof rulesOf>>[number], now: Date, options: { entityIds?: number[]; any?: boolean } = {}): Promise<Due[]> {
  const screen = deps.screens().get(source.type);
  if (!screen || !(await tableThere(tenant, source.type))) return [];
  const { db, schema, timezone } = tenant;
  const today = DateTime.fromJSDate(now, { zone: timezone }).toISODate()!;
  const date = source.rows === undefined ? `r."${source.date}"` : `w."${source.date}"`;
  const row = source.rows === undefined ? '0::bigint' : 'w.id';
  const logged = await tableThere(tenant, LOG_TYPE);
  const people = Object.entries(source.people).map(([part, sql]) => `'${part}', ${sql}`).join(', ');
  const rows = await db.query<{ id: number; row: number; entity_id: number | null; date: string; due: string; record: Record<string, unknown>; parts: Record<string, number | null> }>(
    `select r.id, ${row} as row, ${screen.scope === 'entity' ? 'r.entity_id' : 'null::bigint'} as entity_id, ${date}::text as date, (${date} + $2::int)::text as due,
       to_jsonb(r) ${source.rows === undefined ? '' : '|| to_jsonb(w)'} as record, jsonb_build_object(${people}) as parts
     from ${tableName(schema, source.type)} r ${source.rows === undefined ? '' : `join ${childTable(schema, source.type, source.rows)} w on w.parent_id = r.id`}
     where ${date} is not null and (${source.open}) ${screen.scope === 'entity' ? 'and ($4::bigint[] is null or r.entity_id = any($4))' : 'and ($4::bigint[] is null or true)'}
       and ($5 or (${date} + $2::int <= $1::date and (case when $2::int < 0 then ${date} >= $1::date else ${date} + $2::int > $1::date - ${CATCH_UP_DAYS} end)
       ${logged ? `and not exists (select 1 from ${tableName(schema, LOG_TYPE)} g where g.esclation_id = $3 and g.record_type = '${source.type}' and g.record_id = r.id and g.row_id = ${row} and g.due_on = ${date} + $2::int)` : 'and $3::bigint is not null'}))
     order by ${options.any ? `abs(${date} - $1::date)` : date}, r.id limit ${options.any ? 1 : MOST}`,
    [today, rule.days, rule.id, options.entityIds ?? null, options.any === true],
  );
  const fields = wordFields(source, screen);
  const wanted = wordsIn(`${rule.subject} ${rule.body}`);
  const companies = new Map((await db.query<{ id: number; name: string }>(`select id, name from ${quoted(schema)}.entity`)).map(({ id, name }) => [id, name]));
  const page = screen.routes.view ?? screen.routes.edit ?? screen.routes.landing ?? '/';
  const dues: Due[] = [];
  for (const one of rows) {
    const label = screen.label.map((name) => one.record[name]).filter((value) => typeof value === 'string' && value !== '').join(' ');
    const link = page.replace(':id', String(one.id));
    const left = Math.round(DateTime.fromISO(one.date).diff(DateTime.fromISO(today), 'days').days);
    const common: Record<(typeof COMMON_WORDS)[number], string> = {
      link: `${deps.addressOf(tenant)}${link}`, company: one.entity_id === null ? tenant.name : (companies.get(one.entity_id) ?? tenant.name), record: label,
      due_on: one.date.split('-').reverse().join('-'), days_left: String(Math.max(0, left)), days_late: String(Math.max(0, -left)), today: today.split('-').reverse().join('-'),
    };
    const values = { ...(await wordValues(tenant, deps.screens(), fields, wanted, one.record)), ...common };
    dues.push({
      record: { type: source.type, id: one.id, row: one.row, label, entityId: one.entity_id }, due: one.due, date: one.date,
      subject: fillWords(rule.subject, values), body: fillWords(rule.body, values), link, to: await recipientsOf(tenant, lines, one.parts, one.entity_id),
    });
  }
  return dues;
}

/** Whether messages that keep office hours may go now: Monday to Saturday, 9 to 18 in the client's time. */
function isOpen(now: Date, zone: string): boolean {
  const local = DateTime.fromJSDate(now, { zone });
  return local.weekday !== 7 && local.hour >= OPENS && local.hour < CLOSES;
}

/** Sends what is due for a client, each level of each record once, however many processes look. @returns how many messages */
export async function sweepEscalations(deps: EscalationDeps, tenant: Tenant, now: Date): Promise<number> {
  let sent = 0;
  const rules = await rulesOf(tenant);
  if (rules.length > 0) await ensureTables(tenant, deps.screens(), [LOG_TYPE]);
  for (const entry of rules) {
    const { rule } = entry;
    if (rule.working_hours_only && !isOpen(now, tenant.timezone)) continue;
    if (rule.digest !== 'none') {
      const unit = rule.digest === 'hourly' ? 'hour' : 'day';
      const start = DateTime.fromJSDate(now, { zone: tenant.timezone }).startOf(unit).toJSDate();
      const [done] = await tenant.db.query(`select 1 from ${tableName(tenant.schema, LOG_TYPE)} where esclation_id = $1 and sent_at >= $2 limit 1`, [rule.id, start]);
      if (done) continue;
    }
    sent += await send(deps, tenant, rule, await dueOf(deps, tenant, entry, now), now);
  }
  return sent;
}

async function send({ notifications, addressOf }: EscalationDeps, tenant: Tenant, rule: Rule, dues: Due[], now: Date): Promise<number> {
  const log = tableName(tenant.schema, LOG_TYPE);
  const today = DateTime.fromJSDate(now, { zone: tenant.timezone }).toISODate()!;
  return tenant.db.transaction(async (tx) => {
    const mine: Due[] = [];
    for (const due of dues) {
      const [claimed] = await tx.query(
        `insert into ${log} (esclation_id, level, record_type, record_id, row_id, record, due_on, sent_at, delay_days, recipients)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8::timestamptz::date - $7::date, $9) on conflict do nothing returning 1`,
        [rule.id, rule.level, due.record.type, due.record.id, due.record.row, due.record.label.slice(0, 250), due.due, now.toISOString(), due.to.map(({ name }) => name).join(', ').slice(0, 250)]);
      if (claimed) mine.push(due);
    }
    const channels = { inApp: rule.channels.includes('in_app'), mail: rule.channels.includes('mail'), push: rule.channels.includes('push') };
    let count = 0;
    const tell = async (to: Recipient, subject: string, text: string, link: string | undefined, key: string) => {
      const values = { subject, text, ...(link && { link: `${addressOf(tenant)}${link}` }) };
      if (to.userId !== null) await notifications.notify(tx, tenant, { event: 'escalation', to: [to.userId], values, channels, ...(link && { link }) });
      else if (channels.mail) await notifications.write(tx, tenant, { event: 'escalation', address: to.email, values, dedupeKey: key });
      count++;
    };
    if (rule.digest === 'none') {
      for (const due of mine) for (const to of due.to) await tell(to, due.subject, due.body, due.link, `escalation/${rule.id}/${due.record.id}/${due.record.row}/${due.due}/${to.email}`);
      return count;
    }
    const people = new Map<string, { to: Recipient; dues: Due[] }>();
    for (const due of mine)
      for (const to of due.to) {
        const key = String(to.userId ?? to.email);
        people.set(key, { to, dues: [...(people.get(key)?.dues ?? []), due] });
      }
    for (const { to, dues: own } of people.values()) {
      const [first] = own;
      const key = `escalation/${rule.id}/${rule.digest}/${today}/${now.getTime()}/${to.email}`;
      if (own.length === 1) await tell(to, first!.subject, first!.body, first!.link, key);
      else await tell(to, `${rule.name}: ${own.length}`, own.map((due) => `• ${due.subject}`).join('\n'), undefined, key);
    }
    return count;
  });
}
