import { join } from 'node:path';
import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import { NamedFunctions } from '../../engine/modules.ts';
import { createEngine } from '../../engine/records/engine.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { addDays } from './dates.ts';
import { SILENT } from './silent_notifications.ts';

/** The company with incentives. */
const COMPANY = 'ALP';
/** Days after the end of a quarter until its run is calculated. */
const CUT_OFF = 11;

/** Awards that depend on no appraisal: days before today, kind, amount or units, reason and progress. */
const AWARDS = [
  [400, 'spot', '5000', 'Freed four people from a lift within twenty minutes.', 'paid'],
  [380, 'referral', '10000', 'Referred a technician who passed the probation.', 'paid'],
  [330, 'contest', '7500', 'Won the safety contest of the branch.', 'paid'],
  [300, 'per_unit', '12', 'Sold old door panels that lay in the store.', 'paid'],
  [60, 'per_unit', '8', 'Sold old controllers that lay in the store.', 'approved'],
  [45, 'long_service', '15000', 'Fifteen years with the company.', 'approved'],
  [20, 'referral', '10000', 'Referred a supervisor who has joined.', 'submitted'],
  [9, 'spot', '3000', 'Worked through the night of the flood.', 'submitted'],
  [3, 'spot', '2500', 'Found the cause of a fault that came back for a year.', 'draft'],
] as const;

/** The last months of completed quarters whose results count, from a day on. */
function quarters(from: string, today: string): string[] {
  const ends: string[] = [];
  for (let year = Number(from.slice(0, 4)); year <= Number(today.slice(0, 4)); year++)
    for (const month of ['03', '06', '09', '12']) {
      const next = month === '12' ? `${year + 1}-01-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}-01`;
      if (`${year}-${month}-28` > from && addDays(next, CUT_OFF) < today) ends.push(`${year}-${month}`);
    }
  return ends;
}

/** Adds a run per quarter for people with KPIs, and awards. The last run is still pending. */
export async function addIncentivesAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('incentive_run')) return;
  const types = [...screens.values()].filter(({ folder }) => folder.startsWith('performance')).map(({ name }) => name);
  await ensureTables(tenant, screens, types);
  const table = (type: string) => tableName(tenant.schema, type);
  const first = <Row extends object>(text: string, values: unknown[] = []) =>
    tenant.db.query<Row & Record<string, unknown>>(text, values).then((rows) => rows[0]);
  const company = await first<{ id: number }>(`select id from ${table('entity')} where code = $1`, [COMPANY]);
  const payout = await first<{ id: number; incentive_id: number }>(
    `select f.id, f.incentive_id from ${table('incentive_frequency')} f join ${table('incentive')} i on i.id = f.incentive_id where i.code = 'SCORE'`,
  );
  const model = await first<{ id: number }>(`select id from ${table('incentive')} where code = 'MODEL'`);
  if (!company || !payout || !model || (await first(`select 1 from ${table('incentive_run')} limit 1`))) return;
  const members = await tenant.db.query<{ id: number; from: string; manager: number | null; head: number | null }>(
    `select s.employee_id as id, min(s.valid_from)::text as "from", max(m.user_id) as manager, max(h.user_id) as head
     from ${table('kpi_sheet')} s join ${table('employee')} e on e.id = s.employee_id
     left join ${table('employee')} m on m.id = e.reporting_to_id left join ${table('employee')} h on h.id = m.reporting_to_id
     where s.entity_id = $1 group by s.employee_id order by s.employee_id`,
    [company.id],
  );
  if (members.length === 0) return;
  const [hr, approver] = [...new Set(members.flatMap(({ manager, head }) => [manager, head]))].filter(
    (user) => user !== null,
  );
  const engine = createEngine({
    notifications: SILENT,
    screens: () => screens as Map<string, Screen>,
    functions: new NamedFunctions(await loadModules(join(import.meta.dirname, '../../modules'))),
  });
  await tenant.db.transaction(async (tx) => {
    const act = <T>(user: number | undefined, work: (unit: ReturnType<typeof engine.unit>) => Promise<T>) =>
      withinTransaction(systemSession(tenant, company.id, user ?? null), tx, (session) =>
        work(engine.unit(unitOf(session)!, { elevated: true }).elevated()),
      );
    const take = (type: string, id: number, name: string, by: number | undefined) =>
      act(by, (unit) => unit.transition(type, id, name));
    for (const [at, { id, from }] of members.entries())
      await act(hr, (unit) =>
        unit.create('incentive_assignment', {
          employee_id: id,
          incentive_id: payout.incentive_id,
          target_amount: String(20_000 + (at % 4) * 5000),
          valid_from: from,
        }),
      );
    const awards: { id: number; state: string }[] = [];
    for (const [at, [days, kind, value, reason, state]] of AWARDS.entries()) {
      const award = await act(hr, (unit) =>
        unit.create('incentive_award', {
          employee_id: members[(at * 3) % members.length]!.id,
          award_kind: kind,
          reason,
          event_date: addDays(today, -days),
          ...(kind === 'per_unit' ? { incentive_id: model.id, quantity: value } : { amount: value }),
        }),
      );
      awards.push({ id: award.id, state });
      if (state === 'draft') continue;
      await take('incentive_award', award.id, 'submit', hr);
      if (state !== 'submitted') await take('incentive_award', award.id, 'approve', approver);
    }
    const firstDay = members.reduce((least, { from }) => (from < least ? from : least), today);
    const ends = quarters(firstDay, today);
    const pay = async (id: number, month: string) => {
      const paidOn = addDays(`${month}-28`, 33);
      await tx.query(`update ${table('incentive_run')} set status = 'paid', paid_on = $2 where id = $1`, [id, paidOn]);
      await tx.query(
        `update ${table('incentive_payout')} set state = 'paid', paid_on = $2 where run_id = $1 and state <> 'on_hold'`,
        [id, paidOn],
      );
    };
    for (const [at, month] of ends.entries()) {
      const run = await act(hr, (unit) =>
        unit.create('incentive_run', { run_kind: 'scheme', frequency_id: payout.id, month }),
      );
      await take('incentive_run', run.id, 'calculate', hr);
      if (at === ends.length - 1) continue;
      await take('incentive_run', run.id, 'review', hr);
      await take('incentive_run', run.id, 'approve', approver);
      if (at < ends.length - 2) await pay(run.id, month);
    }
    const month = addDays(today, -250).slice(0, 7);
    const run = await act(hr, (unit) => unit.create('incentive_run', { run_kind: 'awards', month }));
    await take('incentive_run', run.id, 'calculate', hr);
    await take('incentive_run', run.id, 'review', hr);
    await take('incentive_run', run.id, 'approve', approver);
    await pay(run.id, month);
    await tx.query(`update ${table('incentive_award')} set status = 'paid', paid_in_id = $2 where id = any($1)`, [
      awards.flatMap(({ id, state }) => (state === 'paid' ? [id] : [])),
      run.id,
    ]);
  });
}
