import { addDays, lastDay } from '../../../src/domain/fms/contract_years.ts';
import { Player } from '../random_history.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: (Row & { id: number })[] };

/** Three people who call, for nobody approves what they wrote; `{s}` is the schema in statements. */
export interface ContractHistoryWorld {
  call(
    by: 0 | 1 | 2,
    method: string,
    url: string,
    body?: object,
  ): Promise<{ statusCode: number; body: string; json<T>(): T }>;
  sql<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** A lift in that building. */
  lift(building: number): Promise<number>;
  /** Two customers with a building each. */
  owners: readonly [{ customer: number; building: number }, { customer: number; building: number }];
  ids: Record<'branch' | 'amc' | 'payment' | 'change' | 'transfer' | 'category', number>;
  day(offset: number): string;
}

const ACTS = ['begin', 'begin', 'demerge', 'merge', 'transfer', 'renew', 'amend', 'cancel'] as const;

/** What is wrong with the cover, the plans and the owners of lifts; empty = nothing. */
async function differences({ sql }: ContractHistoryWorld, lifts: readonly number[], today: string): Promise<string[]> {
  const rows = await sql<{ what: string }>(
    `with l as (select c.*, k.status as contract_status, k.customer_id as payer from {s}.contract_line c join {s}.contract k on k.id = c.contract_id
       where c.lift_id = any($1::bigint[]) and c.active)
     select 'lift ' || a.lift_id || ' is covered twice on a day' as what from l a join l b on b.lift_id = a.lift_id and b.id > a.id
       and a.line_status in ('active', 'held') and b.line_status in ('active', 'held')
       and daterange(a.from_on, a.to_on, '[]') && daterange(b.from_on, b.to_on, '[]')
     union all
     select 'line ' || id || ' ends on ' || closes_on || ' outside of its days' from l where closes_on is not null and (closes_on > to_on or closes_on < from_on - 1)
     union all
     select 'line ' || id || ' runs in a contract that is ' || contract_status from l where line_status = 'active' and contract_status not in ('active', 'approved', 'submitted', 'draft')
     union all
     select 'lift ' || l.lift_id || ' is of another customer than its contract' from l join {s}.lift f on f.id = l.lift_id
       where l.line_status = 'active' and l.contract_status = 'active' and l.from_on <= $2::date and l.to_on >= $2::date and f.customer_id <> l.payer
     union all
     select 'planned bills of line ' || l.id || ' of year ' || s.contract_year || ' come to more than its price' from l join {s}.billing_schedule s on s.contract_line_id = l.id
       where s.status in ('planned', 'held', 'drafted', 'billed') group by l.id, l.net, s.contract_year
       having sum(s.amount) > coalesce((select max(y.price) from {s}.contract_line__year_prices y where y.parent_id = l.id and y.year_no = s.contract_year), l.net) + 0.01
     union all
     select 'a planned bill stands twice: ' || min(s.id) from {s}.billing_schedule s join l on l.id = s.contract_line_id
       where s.status <> 'cancelled' group by s.contract_line_id, s.contract_year, s.seq_no having count(*) > 1
     union all
     select 'a visit stands twice: ' || min(v.id) from {s}.scheduled_ticket v join l on l.id = v.contract_line_id
       where v.status <> 'cancelled' group by v.contract_line_id, v.contract_year, v.visit_no having count(*) > 1`,
    [lifts, today],
  );
  return rows.map(({ what }) => what);
}

/** The last day of the month so many months back from a day, or the 29th of February of the last leap year: where months are cut. */
function edgeDay(today: string, back: number): string {
  const first = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - back, 1));
  if (back === 0) {
    let year = first.getUTCFullYear();
    while (new Date(Date.UTC(year, 1, 29)).getUTCDate() !== 29 || `${year}-02-29` > today) year--;
    return `${year}-02-29`;
  }
  return addDays(first.toISOString().slice(0, 10), -1);
}

/**
 * A random history of the contracts of a few lifts: begun on ends of months and on 29 February, demerged, merged, transferred,
 * renewed, amended and cancelled. After each act no lift is covered twice, plans add up and stand once, owners are those of the
 * contracts. @throws Error with the history where they do not
 */
export async function contractHistory(
  world: ContractHistoryWorld,
  seed: number,
  steps = 6,
): Promise<{ taken: number; refused: number }> {
  const player = new Player<Doc>('Contract history', seed, (by, method, url, body) =>
    world.call(by, method, url, body),
  );
  const { whole, pick, ask, step, random } = player;
  const { ids, day, owners } = world;
  const lifts: number[] = [];
  const contracts: number[] = [];
  const through = async (type: string, made: Doc | null): Promise<Doc | null> => {
    const handed = made && (await step(0, type, made.id, 'submit'));
    if (!handed) return null;
    return handed.status === 'submitted' ? step(1, type, handed.id, 'approve') : handed;
  };
  const runningLine = async () => {
    const id = pick(contracts);
    if (id === undefined) return null;
    const contract = (await ask(0, 'GET', `contract/${id}`))!;
    const line = pick(contract.lines.filter(({ line_status: status }) => status === 'active'));
    return line ? { contract, line } : null;
  };
  const change = (values: object) =>
    ask(0, 'POST', 'contract_change', {
      branch_id: ids.branch,
      reason_id: ids.change,
      effective_on: day(0),
      ...values,
    });
  const acts: Record<(typeof ACTS)[number], () => Promise<Doc | null>> = {
    async begin() {
      const own = [
        await world.lift(owners[0].building),
        ...(whole(2) === 0 ? [await world.lift(owners[0].building)] : []),
      ];
      lifts.push(...own);
      const start = edgeDay(day(0), whole(9));
      const months = lastDay(start, 12) < day(30) ? 60 : 12;
      const draft = await ask(0, 'POST', 'contract', {
        customer_id: owners[0].customer,
        building_id: owners[0].building,
        branch_id: ids.branch,
        start_on: start,
        months,
        payment_type_id: ids.payment,
        customer_signatory: 'R. Rao',
        lines: own.map((lift) => ({
          lift_id: lift,
          amc_type_id: ids.amc,
          rate: (10_000 + random() * 50_000).toFixed(2),
        })),
      });
      const ready = await through('contract', draft);
      const begun = ready && (await step(0, 'contract', ready.id, 'begin_unsigned', { reason: 'History' }));
      if (begun) contracts.push(begun.id);
      return begun;
    },
    async demerge() {
      const found = await runningLine();
      if (!found) return null;
      const made = await change({
        change_kind: 'demerge',
        contract_id: found.contract.id,
        billing_action: whole(2) === 0 ? 'carry' : 'credit_rebill',
        lines: [{ contract_line_id: found.line.id }],
      });
      const done = await through('contract_change', made);
      if (done?.new_contract_id) contracts.push(Number(done.new_contract_id));
      return done;
    },
    async merge() {
      const found = await runningLine();
      const into = pick(contracts);
      if (!found || into === undefined || into === found.contract.id) return null;
      return through(
        'contract_change',
        await change({
          change_kind: 'merge',
          customer_id: found.contract.customer_id,
          target_contract_id: into,
          dates: pick(['keep', 'longest']),
          lines: [{ contract_line_id: found.line.id }],
        }),
      );
    },
    async transfer() {
      const found = await runningLine();
      if (!found) return null;
      const to = owners[found.contract.customer_id === owners[0].customer ? 1 : 0];
      const made = await ask(0, 'POST', 'lift_transfer', {
        transfer_kind: 'owner',
        effective_on: day(0),
        branch_id: ids.branch,
        reason_id: ids.transfer,
        contract_action: pick(['move', 'close']),
        to_customer_id: to.customer,
        to_building_id: to.building,
        lifts: [{ lift_id: found.line.lift_id }],
      });
      const done = await through('lift_transfer', made);
      if (done?.new_contract_id) contracts.push(Number(done.new_contract_id));
      return done;
    },
    async renew() {
      const found = await runningLine();
      if (!found) return null;
      const made = await ask(0, 'POST', 'lift_renewal', {
        made_on: day(0),
        makes: 'contract',
        group_by: 'none',
        months: 12,
        lines: [{ lift_id: found.line.lift_id }],
      });
      return made && step(0, 'lift_renewal', made.id, 'make');
    },
    async amend() {
      const found = await runningLine();
      if (!found) return null;
      return through(
        'contract_change',
        await change({
          change_kind: 'amend',
          contract_id: found.contract.id,
          lines: [{ contract_line_id: found.line.id, new_rate: (10_000 + random() * 50_000).toFixed(2) }],
        }),
      );
    },
    async cancel() {
      const found = await runningLine();
      if (!found) return null;
      return through(
        'amc_cancellation',
        await ask(0, 'POST', 'amc_cancellation', {
          contract_id: found.contract.id,
          cancel_category_id: ids.category,
          branch_id: ids.branch,
          requested_on: day(0),
          lines: [{ contract_line_id: found.line.id }],
        }),
      );
    },
  };
  await acts.begin();
  return player.play(acts, ACTS, steps, () => differences(world, lifts, day(0)));
}
