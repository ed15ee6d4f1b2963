import { Decimal } from 'decimal.js';
import { dayFirst } from '../../../../../descriptor/fieldtypes/written.ts';
import type { WireRecord } from '../../../../../descriptor/types.ts';
import { entitlement, gateAt, gross, settle } from '../../../../../domain/performance_reward/incentive.ts';
import type { Effect, Services } from '../../../../engine/modules.ts';
import { placeOf } from '../../../../services/clock/client_day.ts';
import type { Unit } from '../../../../engine/records/unit.ts';
import { daysFromTo, lastDay } from '../../kpi_months.ts';
import { performanceSettings } from '../../performance_settings.ts';
import { recordValues } from '../../record_values.ts';
import { numberOf } from '../../sheet_lines.ts';
import { PeriodFigures } from '../period_figures.ts';
import { paidBands } from '../appraisal_bands.ts';
import type { PayoutFrequency, RunMonths } from '../run_months.ts';
import { frequencyOf, runMonths } from '../run_months.ts';
import type { Scheme } from '../scheme.ts';
import { schemeOf } from '../scheme.ts';

type Row = Record<string, unknown>;

/** A member with the scheme in the period. */
interface Assigned {
  employee_id: number;
  /** For each payout. */
  target_amount: string | null;
  from: string;
  to: string | null;
  joined: string | null;
  left: string | null;
  monthly_pay: string | null;
}

/** Amounts already paid to a member for the same time, and the rest that the last run carried forward. */
interface Before {
  employee_id: number;
  earlier: string;
  carried: string;
}

/** Columns that people enter, kept by a recalculation. */
const BY_HAND = ['attendance_percent', 'hold', 'hold_reason', 'adjust', 'adjust_reason'] as const;

const monthsOf = (from: string, to: string): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5)) - Number(from.slice(5)) + 1;

const rounded = (value: Decimal.Value): string =>
  new Decimal(value).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);

/** Members with the scheme in the period; if a designation has its own frequency, the others use the general one. */
const assignedTo = (
  unit: Unit,
  { id, incentive_id: scheme, designation_id: designation }: PayoutFrequency,
  first: string,
  last: string,
) =>
  unit.query<Assigned>(
    `select a.employee_id, a.target_amount::text, a.valid_from::text as "from", a.valid_to::text as "to",
       e.date_of_joining::text as joined, coalesce(e.last_working_day, e.date_of_leaving)::text as left,
       e.monthly_ctc::text as monthly_pay
     from {incentive_assignment} a join {employee} e on e.id = a.employee_id
     where a.entity_id = $1 and a.active and a.incentive_id = $2 and a.valid_from <= $4
       and coalesce(a.valid_to, 'infinity') >= $3
       and case when $5::bigint is null then not exists (
           select 1 from {incentive_frequency} o where o.active and o.id <> $6 and o.incentive_id = $2
             and o.designation_id = e.designation_id)
         else e.designation_id = $5 end
     order by e.name, a.employee_id, a.valid_from`,
    [unit.session.entityId, scheme, first, last, designation, id],
  );

/** The amount settled for earlier months by payments: lines on hold are not settled. */
const settledBefore = (unit: Unit, incentive: number, from: string, to: string) =>
  unit.query<Before>(
    `select p.employee_id, sum(p.settled) filter (where p.month between $3 and $4)::text as earlier,
       (array_agg(p.carried_out order by p.id desc))[1]::text as carried
     from {incentive_payout} p where p.entity_id = $1 and p.incentive_id = $2 and p.active group by p.employee_id`,
    [unit.session.entityId, incentive, from, to],
  );

/** Why a member gets nothing regardless of the results; null = no reason. */
function against(scheme: Scheme, member: Assigned, months: RunMonths, attendance: string | null): string | null {
  const end = lastDay(months.to);
  const until = scheme.must_be_on_rolls_on === 'pay_date' ? lastDay(months.pay) : end;
  if (scheme.must_be_on_rolls_on !== 'none' && member.left !== null && member.left < until)
    return `Left on ${dayFirst(member.left)}.`;
  if (
    scheme.min_service_days !== null &&
    member.joined !== null &&
    daysFromTo(member.joined, end) < scheme.min_service_days
  )
    return `Service is shorter than ${scheme.min_service_days} days.`;
  if (
    scheme.min_attendance_percent !== null &&
    attendance !== null &&
    new Decimal(attendance).lt(scheme.min_attendance_percent)
  )
    return `Attendance is below ${new Decimal(scheme.min_attendance_percent).toString()} %.`;
  return null;
}

/** Why no day of the period counts for a member; null = some do (performance.md §10). */
function withoutDays({ joined, left }: Assigned, { first, last }: { first: string; last: string }, days: number) {
  if (days > 0) return null;
  if (joined !== null && joined > last) return `No day of the period counts: joined on ${dayFirst(joined)}.`;
  if (left !== null && left < first) return `No day of the period counts: left on ${dayFirst(left)}.`;
  return 'No day of the period counts.';
}

/** Days of the period on which a member was employed with the scheme. */
function eligibleDays(member: Assigned, first: string, last: string): number {
  const from = [first, member.from, member.joined ?? first].toSorted().at(-1)!;
  const to = [last, member.to ?? last, member.left ?? last].toSorted()[0]!;
  return Math.max(0, daysFromTo(from, to));
}

/** A member's result for the measure of the run's scheme. */
function basisOf(figures: PeriodFigures, { basis, kpi_id: kpi }: Scheme, employeeId: number) {
  if (basis === 'sheet_score') return figures.score(employeeId);
  const { actual, achievement } = figures.kpi(employeeId, kpi ?? 0);
  return basis === 'kpi_value' ? actual : achievement;
}

/** The figures of members from records of the period; of those without any, what the figure counts as. */
async function recordedOf(
  unit: Unit,
  { recordFigures }: Services,
  { figure: name }: Scheme,
  people: readonly number[],
  days: { first: string; last: string },
): Promise<ReadonlyMap<number, string | null>> {
  const figure = recordFigures.get(name ?? '');
  const { timezone } = placeOf(unit.session);
  const known = figure
    ? await recordValues(unit, figure, { kind: 'employee', ids: people }, { ...days, timezone })
    : null;
  return new Map(people.map((id) => [id, known === null ? null : (known.get(id) ?? figure?.none ?? null)]));
}

/** One line: a member's amount from the scheme for the period, less earlier payments for it (§5.13). */
async function linesOfScheme(
  unit: Unit,
  run: WireRecord,
  services: Services,
): Promise<{ lines: Row[]; gate: string | null }> {
  const payout = (await frequencyOf(unit, run.frequency_id))!;
  const scheme = await schemeOf(unit, payout.incentive_id);
  const months = await runMonths(unit, String(run.month), payout);
  const isToDate = scheme.settle === 'cumulative';
  const start = isToDate && months.yearFrom < payout.first_period ? payout.first_period : months.yearFrom;
  const fromMonth = isToDate ? start : months.from;
  const first = `${fromMonth}-01`;
  const last = lastDay(months.to);
  const figures = await PeriodFigures.read(unit, fromMonth, months.to, await performanceSettings(unit));
  const before = new Map(
    (await settledBefore(unit, scheme.id, fromMonth, months.to)).map((one) => [one.employee_id, one]),
  );
  const bands = scheme.basis === 'appraisal_band' ? await paidBands(unit, last) : null;
  const reachedGate =
    scheme.gate_of === 'kpi'
      ? figures.kpiOfCompany(scheme.gate_kpi_id ?? 0)
      : scheme.gate_of === 'company_score'
        ? figures.scoreOfCompany()
        : null;
  const hasGate = scheme.gate_of === 'kpi' || scheme.gate_of === 'company_score';
  const gate = hasGate ? gateAt(reachedGate, scheme.gates) : '1';
  const payouts = isToDate ? Math.round(monthsOf(fromMonth, months.to) / monthsOf(months.from, months.to)) : 1;
  const byHand = new Map((run.lines as Row[]).map((line) => [line.employee_id as number, line]));
  const members = [...Map.groupBy(await assignedTo(unit, payout, first, last), ({ employee_id: id }) => id)];
  const values =
    scheme.basis === 'figure'
      ? await recordedOf(
          unit,
          services,
          scheme,
          members.map(([id]) => id),
          { first, last },
        )
      : null;
  const lines = members.map(([employeeId, assignments]) => {
    const kept = byHand.get(employeeId);
    const band = bands?.get(employeeId);
    const value = bands
      ? (band?.points ?? null)
      : scheme.basis === 'figure'
        ? (values?.get(employeeId) ?? null)
        : basisOf(figures, scheme, employeeId);
    const totalDays = daysFromTo(first, last);
    const member = assignments.at(-1)!;
    const pay = new Decimal(member.monthly_pay ?? 0).times(monthsOf(fromMonth, months.to));
    const days = assignments.reduce((sum, one) => sum + eligibleDays(one, first, last), 0);
    const score = scheme.gate_score === null ? null : figures.score(employeeId);
    const isShort = scheme.gate_score !== null && new Decimal(score ?? 0).lt(scheme.gate_score);
    const reason =
      withoutDays(member, { first, last }, days) ??
      (value === null
        ? bands
          ? 'No rating is released.'
          : scheme.basis === 'figure'
            ? 'There are no records of it in this period.'
            : 'No actual is approved.'
        : isShort
          ? `The score is below ${new Decimal(scheme.gate_score!).toString()}.`
          : against(scheme, member, months, numberOf(kept?.attendance_percent)));
    const each = assignments.map((one) => {
      const part = gross({
        kind: scheme.payout_kind,
        mode: scheme.slab_mode,
        slabs: scheme.slabs,
        value: value ?? 0,
        targetAmount: new Decimal(one.target_amount ?? 0).times(payouts),
        pay,
      });
      return { ...part, days: scheme.prorate === 'days' ? eligibleDays(one, first, last) : totalDays };
    });
    // Without days to share it by, the last assignment decides the amount for the whole period.
    const counted = scheme.prorate === 'days' ? each : each.slice(-1);
    const open = counted.reduce(
      (sum, part) => sum.plus(new Decimal(part.gross).times(part.days).dividedBy(totalDays)),
      new Decimal(0),
    );
    const { due, isCapped } = entitlement({
      gross: reason === null ? open : 0,
      days: 1,
      totalDays: 1,
      gate: new Decimal(gate).times(band?.multiplier ?? 1).toString(),
      caps: [
        scheme.cap_amount === null ? null : new Decimal(scheme.cap_amount).times(payouts),
        scheme.cap_percent_of_pay === null ? null : pay.times(scheme.cap_percent_of_pay).dividedBy(100),
      ],
    });
    const { earlier, carried } = before.get(employeeId) ?? { earlier: null, carried: null };
    const { net, carried: carriedOut } = settle(due, earlier ?? 0, carried ?? 0, scheme.recover_negative === true);
    return {
      ...Object.fromEntries(BY_HAND.map((name) => [name, kept?.[name] ?? (name === 'hold' ? false : null)])),
      employee_id: employeeId,
      award_id: null,
      basis_value: value,
      rate: each.at(-1)!.rate,
      gross: rounded(each.at(-1)!.gross),
      days,
      total_days: totalDays,
      gate: new Decimal(gate).times(band?.multiplier ?? 1).toString(),
      capped: isCapped,
      due: new Decimal(due).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(2),
      earlier: rounded(earlier ?? 0),
      carried_in: rounded(carried ?? 0),
      net,
      carried_out: carriedOut,
      note: reason,
    };
  });
  return { lines, gate: reachedGate };
}

/** Approved awards up to the end of the month that are in no other run. */
async function linesOfAwards(unit: Unit, run: WireRecord): Promise<Row[]> {
  const awards = await unit.query<{ id: number; employee_id: number; amount: string }>(
    `select w.id, w.employee_id, w.amount::text from {incentive_award} w join {employee} e on e.id = w.employee_id
     where w.entity_id = $1 and w.active and w.status = 'approved' and w.event_date <= $2 and not exists (
       select 1 from {incentive_run.lines} l join {incentive_run} r on r.id = l.parent_id
       where l.award_id = w.id and r.id <> $3 and r.status <> 'cancelled')
     order by e.name, w.id`,
    [unit.session.entityId, lastDay(String(run.month)), run.id],
  );
  const byHand = new Map((run.lines as Row[]).map((line) => [line.award_id as number, line]));
  return awards.map(({ id, employee_id: employee, amount }) => ({
    ...Object.fromEntries(BY_HAND.map((name) => [name, byHand.get(id)?.[name] ?? (name === 'hold' ? false : null)])),
    employee_id: employee,
    award_id: id,
    gross: amount,
    due: amount,
    earlier: '0',
    carried_in: '0',
    net: amount,
    carried_out: '0',
  }));
}

/** Calculates the lines of a run; entries of people are kept. */
export const calculateRun: Effect = {
  elevated: true,
  async apply({ unit: person, record, services }) {
    const unit = person.elevated();
    const run = await unit.read('incentive_run', record.id);
    const { lines, gate } =
      run.run_kind === 'awards'
        ? { lines: await linesOfAwards(unit, run), gate: null }
        : await linesOfScheme(unit, run, services);
    await unit.update('incentive_run', run.id, { lines, gate_value: gate });
  },
};
