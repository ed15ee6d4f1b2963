import { addDays } from '../../../../domain/fms/contract_years.ts';
import { renewalPrice } from '../../../../domain/fms/escalation.ts';
import { formatDate, formatMoney } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { mailCustomers } from '../customer_mail.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { latestLines } from '../fills/renewal_lines.ts';
import { linesOf } from '../contract_lines.ts';
import { priceOn } from '../line_money.ts';
import { policiesOf } from '../../../platform/policies/policies.ts';
import { policyRules } from '../policies.ts';
import type { PoliciesFor } from '../policies.ts';
import { escalationFor } from '../prices.ts';
import { draftContract, draftQuotation } from '../renewals.ts';
import type { Renewed } from '../renewals.ts';

/** Default lead time of the quotation before a warranty or a contract ends. */
const AHEAD_DAYS = 60;
const AT_ONCE = 50;

interface Ending {
  id: number;
  auto_renew: boolean;
  /** Days until it ends. */
  left: number;
  customer_id: number;
  amc_type_id: number | null;
  branch_id: number;
}

/** The lifts of a building whose warranty ends on the same day. */
interface WarrantyEnding {
  /** The lowest of their ids. */
  first: number;
  lifts: number[];
  customer_id: number;
  building_id: number;
  ends_on: string;
  amc_type_id: number | null;
}

/** Notifies the sales person of the quotation drafted because a warranty ends: its rates are to be entered. */
async function notifyOfWarranty(
  unit: Unit,
  quotation: number,
  { lifts, endsOn }: { lifts: number; endsOn: string },
): Promise<void> {
  const [found] = await unit.query<{ account: number; customer: string; building: string }>(
    `select u.id as account, k.name as customer, b.name as building from {quotation} q
     join {users} u on u.employee_id = q.sales_person_id and u.active and u.status = 'active'
     join {customer_dtl} k on k.id = q.customer_id join {building} b on b.id = q.building_id where q.id = $1`,
    [quotation],
  );
  if (!found) return;
  await unit.notify({
    event: 'fms.warranty_ending',
    to: [found.account],
    entityId: unit.session.entityId,
    link: `/Quotation/View/${quotation}`,
    record: { type: 'quotation', id: quotation },
    values: {
      lifts: lifts === 1 ? 'one lift' : `${lifts} lifts`,
      customer: found.customer,
      building: found.building,
      day: formatDate(endsOn),
    },
  });
}

/** The longest lead time of all renewal policies, to limit what is read. */
async function mostAhead(unit: Unit): Promise<number> {
  const policies = await policiesOf(unit, unit.session.entityId, ['RENEWAL']);
  return Math.max(AHEAD_DAYS, ...policies.map(({ parameters }) => Number(parameters.auto_quote_days ?? 0)));
}

async function renewedLifts(unit: Unit, contract: number, policies: PoliciesFor): Promise<Renewed[]> {
  const record = await unit.read('contract', contract);
  const running = linesOf(record).filter(({ line_status: status }) => status === 'active' || status === 'held');
  const known = await latestLines(
    unit,
    running.map(({ lift_id: id }) => id),
  );
  const [type] = await unit.query<{ id: number }>(
    `select id from {renewal_type_mstr} where rule = $1 and active order by id limit 1`,
    [record.auto_renew === true ? 'auto' : 'on_time'],
  );
  const lifts: Renewed[] = [];
  for (const { lift_id: lift } of running) {
    const line = known.get(lift);
    if (!line || line.contract_id !== contract || line.next_no !== null) continue;
    const start = addDays(line.to_on, 1);
    lifts.push({
      lift_id: lift,
      contract_id: contract,
      customer_id: line.customer_id,
      building_id: line.building,
      amc_type_id: line.amc_type_id,
      renewal_type_id: type?.id ?? null,
      starts_on: start,
      new_rate: renewalPrice(
        await priceOn(unit, line, line.to_on),
        { base: line.base, commissioned: line.commissioned, start },
        await escalationFor(unit, line, (await policies(line)).get('ESCALATION')?.parameters),
      ),
    });
  }
  return lifts;
}

/**
 * Contracts that end soon: those that renew automatically get their successor, at the escalated prices, when their
 * notice period begins; for the others, and for lifts whose warranty ends, a quotation is drafted. Each once; sales is notified of
 * warranties that end.
 */
export const renewals: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let made = 0;
    await each(
      async (unit, after) => {
        return unit.query<Ending>(
          `select c.id, coalesce(c.auto_renew, false) as auto_renew, c.end_on - $3::date as left, c.customer_id, c.amc_type_id, c.branch_id from {contract} c
           where c.entity_id = $1 and c.id > $2 and c.active and c.status = 'active' and c.contract_kind = 'amc' and c.end_on >= $3::date
             and c.end_on <= $3::date + case when c.auto_renew then coalesce(c.notice_days, 30) else $4::int end
             and not exists (select 1 from {contract} n where n.previous_contract_id = c.id and n.active and n.status <> 'cancelled')
             and not exists (select 1 from {quotation} q where q.previous_contract_id = c.id and q.active and q.is_current and q.status not in ('lost', 'cancelled', 'superseded'))
           order by c.id limit ${AT_ONCE}`,
          [company, after ?? 0, today, await mostAhead(unit)],
        );
      },
      async (unit, contracts) => {
        const product = unit.elevated();
        const policies = await policyRules(product, ['RENEWAL', 'ESCALATION'], today);
        for (const contract of contracts) {
          const ahead = (await policies(contract)).get('RENEWAL')?.parameters.auto_quote_days;
          if (!contract.auto_renew && contract.left > Number(ahead ?? AHEAD_DAYS)) continue;
          const lifts = await renewedLifts(product, contract.id, policies);
          if (lifts.length === 0) continue;
          if (contract.auto_renew) {
            const id = await draftContract(product, lifts, 12, { renews_itself: true });
            await product.takeAuto('contract', id, 'approve_itself');
            made++;
            const next = await product.read('contract', id);
            await mailCustomers(
              product,
              [contract.customer_id],
              `Your contract renews on ${formatDate(String(next.start_on))}`,
              () =>
                `your contract renews by itself: contract ${String(next.contract_no)} runs from ${formatDate(String(next.start_on))} to ${formatDate(String(next.end_on))}, at ${formatMoney(String(next.year_total))} a year before GST. If you do not want this, please tell us before it starts.`,
            );
          } else if ((await draftQuotation(product, lifts, 12, { day: today })) !== null) made++;
        }
        return contracts.at(-1)!.id;
      },
    );
    await each(
      (unit, after) =>
        unit.query<WarrantyEnding>(
          `select min(f.id) as first, array_agg(f.id order by f.id) as lifts, f.customer_id, f.building_id, f.warranty_to::text as ends_on,
             (select id from {amc_type_mstr} where coverage = 'comprehensive' and active order by id limit 1) as amc_type_id
           from {lift} f where f.entity_id = $1 and f.active and f.status = 'in_warranty'
             and f.warranty_to between $3::date and $3::date + ${AHEAD_DAYS}
             and not exists (select 1 from {quotation.lines} l join {quotation} q on q.id = l.parent_id where l.lift_id = f.id and q.active
               and q.quoted_on > f.warranty_to - 120)
             and not exists (select 1 from {contract_line} l where l.lift_id = f.id and l.active and l.cover_kind = 'amc' and l.to_on > f.warranty_to)
           group by f.customer_id, f.building_id, f.warranty_to having min(f.id) > $2 order by min(f.id) limit ${AT_ONCE}`,
          [company, after ?? 0, today],
        ),
      async (unit, endings) => {
        const product = unit.elevated();
        for (const { lifts, ends_on: endsOn, amc_type_id: type, ...of } of endings) {
          if (type === null) continue;
          const quotation = await draftQuotation(
            product,
            lifts.map((lift) => ({
              lift_id: Number(lift),
              contract_id: 0,
              customer_id: of.customer_id,
              building_id: of.building_id,
              amc_type_id: type,
              renewal_type_id: null,
              starts_on: addDays(endsOn, 1),
              new_rate: '0.00',
            })),
            12,
            { day: today, kind: 'new_amc' },
          );
          if (quotation === null) continue;
          made++;
          await notifyOfWarranty(product, quotation, { lifts: lifts.length, endsOn });
        }
        return endings.at(-1)!.first;
      },
    );
    return made === 0 ? undefined : `${made} renewals drafted.`;
  },
};
