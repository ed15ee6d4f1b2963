import type { WeekOffPolicy } from '../../../domain/working_days.ts';
import { leavesWork } from '../../../domain/working_days.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** Week-offs: at least one day must be a working day. */
export default defineHooks({
  check(_session, record) {
    const rules = (Array.isArray(record.rules) ? record.rules : []) as WeekOffPolicy['rules'];
    return leavesWork(rules.filter(({ weekday, weeks }) => typeof weekday === 'string' && Array.isArray(weeks)))
      ? []
      : [{ field: 'rules', message: 'Leave at least one working day a week.' }];
  },
});
