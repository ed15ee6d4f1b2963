import type { FieldError } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';
import { indianDay } from './fills/bill_tax.ts';
import { applyingPolicy, policiesOf } from '../../platform/policies/policies.ts';
import type { PeriodPolicy } from './policies.ts';

/** Today in the time zone of the branch, otherwise of the company. */
export function todayOf({ session, now }: Unit, branchId: unknown = null): string {
  return dayOf(placeOf(session).zones, { branchId, entityId: session.entityId }, now.getTime());
}

/**
 * Why a document of a branch may not have this date (PERIOD policy): nobody may date it in a closed period or after
 * today, and only people with FMS_BACKDATE further back than `backdate_days`.
 */
export async function closedPeriod(
  unit: Unit,
  { field, day, branch }: { field: string; day: string; branch: number | null },
): Promise<FieldError[]> {
  const today = todayOf(unit, branch);
  if (day > today) return [{ field, message: 'The date is in the future. Use today or an earlier day.' }];
  const policy = applyingPolicy<PeriodPolicy>(await policiesOf(unit, unit.session.entityId, ['PERIOD']), today, {
    branch_id: branch,
  });
  if (policy.locked_to !== undefined && policy.locked_to !== '' && day <= policy.locked_to) {
    const [of] = await unit.query<{ name: string }>('select name from {branch} where id = $1', [branch]);
    return [
      {
        field,
        message: `The period up to ${indianDay(policy.locked_to)} is closed. Use a later date, or ask for it to be opened${of ? ` for ${of.name}` : ''}.`,
      },
    ];
  }
  if (policy.backdate_days === undefined) return [];
  const earliest = new Date(Date.parse(`${today}T00:00:00Z`) - policy.backdate_days * 86_400_000)
    .toISOString()
    .slice(0, 10);
  const mayDateBack = unit.session.rights.refuseAction('FMS_BACKDATE') === null;
  const first = mayDateBack ? earliest : today;
  if (day >= first || day.slice(0, 7) === today.slice(0, 7)) return [];
  return [
    {
      field,
      message: `The earliest permitted date is ${indianDay(first)}. Use a later date${mayDateBack ? '' : ', or ask somebody with the right to back-date'}.`,
    },
  ];
}
