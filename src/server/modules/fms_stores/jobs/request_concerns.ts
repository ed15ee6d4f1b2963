import { formatMoney } from '../../../../descriptor/format.ts';
import { quoted } from '../../../db/names.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { indianDay } from '../stock/lookups.ts';
import { dayOfMoment } from '../stock/posting_time.ts';
import type { Concern } from './concern.ts';

/** Hours within which the keeper corrects a disputed issue. */
const CORRECT_WITHIN_HOURS = 48;
/** Days after which the sender of a quotation is reminded of it. */
const REMIND_AFTER_DAYS = [3, 7];

/** Issues that a technician has not acknowledged for a day. */
export async function openIssues(unit: Unit, company: number | null): Promise<Concern[]> {
  const rows = await unit.query<{ id: number; no: string; technician: number; at: string }>(
    `select id, issue_no as no, technician_id as technician, issued_at as at from {mr_issue}
     where entity_id = $1 and active and state = 'issued' and issued_at < $2::timestamptz - interval '24 hours' order by id limit 200`,
    [company, unit.now.toISOString()],
  );
  return rows.map(({ id, no, technician, at }) => ({
    event: 'stores.issue_open',
    link: `/mr_issue_view/${id}`,
    employees: [technician],
    values: { issue: no, day: indianDay(dayOfMoment(unit, new Date(at))) },
  }));
}

/** Parts reserved for a request until today, which nobody has collected: for whoever raised it and the keeper. */
export async function endingReservations(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const rows = await unit.query<{
    id: number;
    no: string;
    raiser: number | null;
    keeper: number | null;
    store: string;
  }>(
    `select distinct m.id, coalesce(m.mr_no, m.id::text) as no, m.created_by as raiser, p.keeper_id as keeper, p.code as store
     from {stock_reservation} r join {mr} m on m.id = r.document_id join {stock_point} p on p.id = r.stock_point_id
     where r.entity_id = $1 and r.document_type = 'mr' and r.state = 'active' and r.expires_on = $2::date order by m.id limit 200`,
    [company, today],
  );
  return rows.map(({ id, no, raiser, keeper, store }) => ({
    event: 'stores.reservation_ends',
    link: `/mr_landing/view?id=${id}`,
    employees: [keeper],
    users: [raiser],
    values: { request: no, store },
  }));
}

/** Disputed issues that the store has not corrected in time: for the keeper and whoever issued the parts. */
export async function disputedIssues(unit: Unit, company: number | null): Promise<Concern[]> {
  const rows = await unit.query<{
    id: number;
    no: string;
    technician: string;
    note: string | null;
    keeper: number | null;
    issuer: number | null;
    hours: number;
  }>(
    `select i.id, i.issue_no as no, e.name as technician, i.dispute_note as note, p.keeper_id as keeper, i.created_by as issuer,
       floor(extract(epoch from $2::timestamptz - d.at) / 3600)::int as hours
     from {mr_issue} i join {employee} e on e.id = i.technician_id join {stock_point} p on p.id = i.from_stock_point_id
     join lateral (select max(l.at) as at from ${quoted(unit.session.tenant.schema)}.transition_log l
       where l.record_type = 'mr_issue' and l.record_id = i.id and l.to_state = 'disputed') d on true
     where i.entity_id = $1 and i.active and i.state = 'disputed' and d.at <= $2::timestamptz - make_interval(hours => $3) order by i.id limit 200`,
    [company, unit.now.toISOString(), CORRECT_WITHIN_HOURS],
  );
  return rows.map(({ id, no, technician, note, keeper, issuer, hours }) => ({
    event: 'stores.issue_disputed',
    link: `/mr_issue_view/${id}`,
    employees: [keeper],
    users: [issuer],
    values: { issue: no, technician, note: note ?? '', hours: String(hours) },
  }));
}

/**
 * Quotations that the customer has not answered for 3 and 7 days: for whoever sent them; with the setting, the customer
 * gets a mail too.
 */
export async function unansweredQuotations(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const rows = await unit.query<{
    id: number;
    no: string;
    customer: string;
    email: string | null;
    total: string;
    until: string;
    sender: number | null;
    sent: string;
  }>(
    `select q.id, q.quotation_no as no, c.name as customer, q.email, q.payable::text as total, q.valid_to::text as until, q.created_by as sender, q.sent_at as sent
     from {mr_quotation} q join {customer_dtl} c on c.id = q.customer_id
     where q.entity_id = $1 and q.active and q.state = 'sent' and q.sent_at > $2::timestamptz - interval '9 days' and q.valid_to >= $3::date order by q.id limit 500`,
    [company, unit.now.toISOString(), today],
  );
  const [setting] = await unit.query<{ mails: boolean | null }>(
    'select quotation_reminder_mail as mails from {fms_stores_setting} order by id limit 1',
  );
  const concerns: Concern[] = [];
  for (const { id, no, customer, email, total, until, sender, sent } of rows) {
    const days = (Date.parse(today) - Date.parse(dayOfMoment(unit, new Date(sent)))) / 86_400_000;
    if (!REMIND_AFTER_DAYS.includes(days)) continue;
    concerns.push({
      event: 'stores.quotation_unanswered',
      link: `/MrQuotation/view/${id}`,
      employees: [],
      users: [sender],
      values: { quotation: no, customer, days: String(days), total: formatMoney(total), day: indianDay(until) },
    });
    if (setting?.mails === true && email)
      await unit.post({
        address: email,
        subject: `Our quotation ${no} for parts`,
        text: `Dear customer,\n\nwe sent you our quotation ${no} for ${formatMoney(total)} ${days} days ago. It is valid until ${indianDay(until)}. Please let us know whether you accept it.`,
        prints: [],
        files: [],
        purpose: 'notification',
      });
  }
  return concerns;
}

/** Lent parts that did not come back by their day: for the technician's manager and whoever raised the request. */
export async function overdueLoans(unit: Unit, company: number | null, today: string): Promise<Concern[]> {
  const rows = await unit.query<{
    id: number;
    no: string | null;
    item: string;
    lift: string | null;
    day: string;
    manager: number | null;
    raiser: number | null;
  }>(
    `select m.id, m.mr_no as no, i.name as item, f.lift_no as lift, l.loan_until::text as day, e.reporting_to_id as manager, m.created_by as raiser
     from {mr.lines} l join {mr} m on m.id = l.parent_id join {item_mstr} i on i.id = coalesce(l.approved_item_id, l.item_id)
     left join {lift} f on f.id = m.lift_id left join {employee} e on e.id = m.technician_id
     where m.entity_id = $1 and m.active and l.cover = 'loan' and l.loan_until < $2::date and l.used_qty > coalesce(l.loan_back_qty, 0)
       and l.line_status = 'used' order by m.id, l.id limit 200`,
    [company, today],
  );
  return rows.map(({ id, no, item, lift, day, manager, raiser }) => ({
    event: 'stores.loan_overdue',
    link: `/mr_landing/view?id=${id}`,
    employees: [manager],
    users: [raiser],
    values: { request: no ?? String(id), item, lift: lift ?? '', day: indianDay(day) },
  }));
}
