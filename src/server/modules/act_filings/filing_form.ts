import type { DueRule, HolidayRule } from '../../../domain/act_filings/due_rule.ts';
import type { LateRates } from '../../../domain/act_filings/late_cost.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** A statutory form as filings need it. */
export interface FilingForm {
  id: number;
  act_id: number;
  category: string;
  /** The first and last day of the act; null = open-ended. */
  effective_from: string | null;
  effective_to: string | null;
  board_designation_id: number | null;
  due_basis: 'calendar' | 'event';
  event_type: string | null;
  days_after_event: number | null;
  rule: DueRule;
  holiday_rule: HolidayRule;
  advance_days: number;
  lead_days: number;
  rates: LateRates;
  bands: { from_value: string; score: string }[];
  documents: { label: string; required: boolean }[];
  preparer_role_id: number | null;
  reviewer_role_id: number | null;
  filer_role_id: number | null;
}

interface Stored extends Omit<FilingForm, 'rule' | 'rates' | 'documents' | 'bands'> {
  frequency: DueRule['frequency'];
  due_day: number | null;
  due_months_after: number | null;
  year_end_month: number | null;
  other: DueRule['other_due_dates'];
  late_fee_per_day: string | null;
  late_fee_per_day_nil: string | null;
  caps: LateRates['caps'];
  late_fee_cap_field: string | null;
  interest_rate: string | null;
  interest_basis: LateRates['interest_basis'];
  documents: { label: string; required: boolean }[];
  bands: { from_value: string; score: string }[];
}

/** The forms with these ids, with their act, rates and due rule. */
export async function formsOf(unit: Unit, ids: readonly number[]): Promise<Map<number, FilingForm>> {
  const stored = await unit.query<Stored>(
    `select f.id, f.act_id, a.category, a.effective_from::text, a.effective_to::text, f.board_designation_id, f.due_basis, f.event_type,
       f.days_after_event, f.frequency, f.due_day, f.due_months_after, f.year_end_month, coalesce(f.holiday_rule, 'none') as holiday_rule,
       coalesce(f.advance_days, 2) as advance_days, coalesce(f.lead_days, 7) as lead_days, f.late_fee_per_day::text, f.late_fee_per_day_nil::text,
       f.late_fee_cap_field, f.interest_rate::text, f.interest_basis, f.preparer_role_id, f.reviewer_role_id, f.filer_role_id,
       (select coalesce(jsonb_agg(jsonb_build_object('period_month', o.period_month, 'due_month', o.due_month, 'due_day', o.due_day)), '[]')
          from {statutory_form.other_due_dates} o where o.parent_id = f.id) as other,
       (select coalesce(jsonb_agg(jsonb_build_object('turnover_band', c.turnover_band, 'nil', c.nil, 'cap', c.cap::text) order by c.id), '[]')
          from {statutory_form.late_fee_caps} c where c.parent_id = f.id) as caps,
       (select coalesce(jsonb_agg(jsonb_build_object('label', d.label, 'required', coalesce(d.required, true)) order by d.id), '[]')
          from {statutory_form.documents_needed} d where d.parent_id = f.id) as documents,
       (select coalesce(jsonb_agg(jsonb_build_object('from_value', b.from_value::text, 'score', b.score::text)), '[]')
          from {slab.bands} b where b.parent_id = f.slab_id) as bands
     from {statutory_form} f join {statutory_act} a on a.id = f.act_id where f.id = any($1::bigint[])`,
    [ids],
  );
  return new Map(
    stored.map(({ other, caps, ...form }) => [
      form.id,
      {
        ...form,
        rule: {
          frequency: form.frequency,
          due_day: form.due_day ?? 31,
          due_months_after: form.due_months_after ?? 1,
          year_end_month: form.year_end_month ?? 3,
          other_due_dates: other,
        },
        rates: {
          per_day: form.late_fee_per_day,
          per_day_nil: form.late_fee_per_day_nil,
          caps,
          capped_by_tax: form.late_fee_cap_field === 'tax',
          interest_rate: form.interest_rate,
          interest_basis: form.interest_basis,
        },
      },
    ]),
  );
}

/** One form. */
export async function formOf(unit: Unit, id: unknown): Promise<FilingForm | null> {
  return typeof id === 'number' ? ((await formsOf(unit, [id])).get(id) ?? null) : null;
}
