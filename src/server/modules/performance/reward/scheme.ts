import type { Gate, PayoutKind, Slab, SlabMode } from '../../../../domain/performance_reward/incentive.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** A scheme as a run uses it; amounts are decimals as text. */
export interface Scheme {
  id: number;
  name: string;
  basis: 'sheet_score' | 'kpi_achievement' | 'kpi_value' | 'appraisal_band' | 'figure';
  kpi_id: number | null;
  /** The name of a figure from records. */
  figure: string | null;
  payout_kind: PayoutKind;
  slab_mode: SlabMode;
  settle: 'period' | 'cumulative';
  prorate: 'days' | 'none';
  must_be_on_rolls_on: 'period_end' | 'pay_date' | 'none' | null;
  min_attendance_percent: string | null;
  min_service_days: number | null;
  gate_score: string | null;
  gate_of: 'none' | 'company_score' | 'kpi' | null;
  gate_kpi_id: number | null;
  cap_amount: string | null;
  cap_percent_of_pay: string | null;
  recover_negative: boolean | null;
  payroll_component: string;
  slabs: Slab[];
  gates: Gate[];
}

/** The slabs of a scheme. */
export const slabsOf = (unit: Unit, id: number): Promise<Slab[]> =>
  unit.query<Slab>(`select "from"::text, rate::text from {incentive.slabs} where parent_id = $1 order by "from"`, [id]);

/** A scheme with its slabs and gate. */
export async function schemeOf(unit: Unit, id: number): Promise<Scheme> {
  const [scheme] = await unit.query<Omit<Scheme, 'slabs' | 'gates'>>(
    `select id, name, basis, kpi_id, figure, payout_kind, slab_mode, settle, prorate, must_be_on_rolls_on,
       min_attendance_percent::text, min_service_days, gate_score::text, gate_of, gate_kpi_id, cap_amount::text,
       cap_percent_of_pay::text, recover_negative, payroll_component
     from {incentive} where id = $1`,
    [id],
  );
  const gates = await unit.query<Gate>(
    `select "from"::text, multiplier::text from {incentive.gates} where parent_id = $1 order by "from"`,
    [id],
  );
  return { ...scheme!, slabs: await slabsOf(unit, id), gates };
}
