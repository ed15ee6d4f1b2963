import { filingDates } from '../../../../domain/act_filings/due_rule.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { figuresOf } from '../figures_of.ts';
import { formsOf } from '../filing_form.ts';
import { makeFilings } from '../make_filings.ts';
import { workingDaysAt } from '../working_days_at.ts';

const UNITS_PER_STEP = 10;
const FILINGS_PER_STEP = 200;

interface Open extends Record<string, unknown> {
  id: number;
  form_id: number;
  branch_id: number | null;
  status: string;
  due_on: string;
}

/**
 * Updates open filings: days left, cost so far and points; filings that nobody has started follow later changes of
 * holidays (O13). It writes plain columns, because a passing day is no change for the history.
 */
async function bringUpToDate(unit: Unit, filings: readonly Open[], today: string): Promise<void> {
  const forms = await formsOf(unit, [...new Set(filings.map(({ form_id: id }) => id))]);
  const rows: Record<string, unknown>[] = [];
  for (const filing of filings) {
    const form = forms.get(filing.form_id)!;
    const dates =
      filing.status === 'upcoming'
        ? filingDates(filing.due_on, form, await workingDaysAt(unit, filing.branch_id, filing.due_on))
        : null;
    rows.push({ id: filing.id, target_on: null, opens_on: null, ...dates, ...figuresOf(filing, form, today) });
  }
  await unit.query(
    `update {filing} f set days_left = x.days_left, overdue = x.overdue, late_days = x.late_days, late_fee = x.late_fee,
       interest = x.interest, exposure = x.exposure, score = x.score, target_on = coalesce(x.target_on, f.target_on), opens_on = coalesce(x.opens_on, f.opens_on)
     from jsonb_to_recordset($1::jsonb) x(id bigint, days_left integer, overdue boolean, late_days integer, late_fee numeric,
       interest numeric, exposure numeric, score numeric, target_on date, opens_on date)
     where f.id = x.id`,
    [JSON.stringify(rows)],
  );
}

/** Creates the filings of the next 90 days, and updates the figures of open ones. */
export const generateFilings: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    let made = 0;
    // The cursor covers registrations first, then filings.
    await each<{ id: number; kind: 'unit' | 'filing' } & Partial<Open>>(
      async (unit, after) => {
        const [kind, id] = (after as ['unit' | 'filing', number] | undefined) ?? ['unit', 0];
        if (kind === 'unit') {
          const units = await unit.query<{ id: number }>(
            `select id from {compliance_unit} where entity_id = $1 and active and id > $2 order by id limit ${UNITS_PER_STEP}`,
            [company, id],
          );
          if (units.length > 0) return units.map((one) => ({ ...one, kind: 'unit' as const }));
        }
        const filings = await unit.query<Open>(
          `select id, form_id, branch_id, status, due_on::text, extended_due_on::text, nil_return, turnover_band, tax_payable::text,
             tax_paid_in_cash::text, interest_from::text, paid_on::text
           from {filing} where entity_id = $1 and active and status in ('upcoming', 'in_preparation', 'under_review', 'ready') and id > $2
           order by id limit ${FILINGS_PER_STEP}`,
          [company, kind === 'filing' ? id : 0],
        );
        return filings.map((one) => ({ ...one, kind: 'filing' as const }));
      },
      async (person, batch) => {
        const unit = person.elevated();
        const { kind, id } = batch.at(-1)!;
        if (kind === 'unit')
          made += await makeFilings(
            unit,
            batch.map((one) => one.id),
            today,
          );
        else await bringUpToDate(unit, batch as unknown as Open[], today);
        return [kind, id];
      },
    );
    return `${made} filings created; open filings updated to ${today}.`;
  },
};
