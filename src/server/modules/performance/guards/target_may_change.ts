import type { Guard } from '../../../engine/modules.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { periodRefusal } from '../period_lock.ts';
import { periodsOfLine, plannedTargets } from '../target_change.ts';

/** A target changes from a month on in which nothing is frozen: frozen figures never change (§1). */
export const targetMayChange: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const planned = await plannedTargets(unit, record);
    if ('wrong' in planned) return [{ field: planned.field ?? 'new_total', message: planned.wrong }];
    const from = String(record.from_month);
    const later = (await periodsOfLine(unit, record)).filter(({ month }) => month >= from);
    const frozen = later.findLast(({ status }) => status === 'frozen');
    if (frozen)
      return [{ field: 'from_month', message: `${monthTitle(frozen.month)} is frozen. Choose a later month.` }];
    const locked = await periodRefusal(unit.session, { ...record, month: later[0]!.month }, 'decide');
    return locked === null ? [] : [{ field: 'from_month', message: locked }];
  },
};
