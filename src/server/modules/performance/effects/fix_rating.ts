import { bandOf } from '../../../../domain/performance/achievement.ts';
import { incrementAmount, incrementPercent } from '../../../../domain/performance/appraisal.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { ratingBands } from '../appraisal_settings.ts';
import { numberOf } from '../sheet_lines.ts';

/** The annual pay of a member on a day; null = it is not recorded. */
async function payOn(unit: Unit, employee: unknown, day: string): Promise<string | null> {
  const [pay] = await unit.query<{ annual_pay: string }>(
    `select annual_pay::text from {employee_pay} where employee_id = $1 and active and annual_pay is not null and valid_from <= $2 order by valid_from desc limit 1`,
    [employee, day],
  );
  return pay?.annual_pay ?? null;
}

/** The rating of the member's latest appraisal before this one; null = none. */
async function bandBefore(unit: Unit, { id, employee_id: employee }: Record<string, unknown>): Promise<string | null> {
  const [before] = await unit.query<{ band: string }>(
    `select band from {appraisal} where employee_id = $1 and id <> $2 and active and band is not null and final_on is not null
     order by final_on desc, id desc limit 1`,
    [employee, id],
  );
  return before?.band ?? null;
}

/** Fixes the final score, its band and the band's suggested increment, with its amount where the pay is recorded. */
export const fixRating: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const stored = await unit.read('appraisal', record.id);
    const score = numberOf(stored.rated_score);
    if (score === null)
      unit.refuse([{ field: 'rated_score', message: 'There is no score yet. The manager rates the member first.' }]);
    const band = bandOf(score!, await ratingBands(unit, stored.rating_scheme_id as number | null));
    const percent = band ? incrementPercent(score!, band) : null;
    const pay = percent === null ? null : await payOn(unit, stored.employee_id, dayOfRecord(unit, record));
    await unit.update('appraisal', record.id, {
      final_score: score,
      band_code: band?.code ?? null,
      band: band?.label ?? null,
      previous_band: await bandBefore(unit, stored),
      increment_percent: percent,
      annual_pay: pay,
      increment_amount: pay === null ? null : incrementAmount(pay, percent!),
      needs_plan: band?.improvement_plan === true,
    });
  },
};
