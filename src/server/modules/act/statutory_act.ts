import { faultOfCondition } from '../../../domain/act_filings/applicability.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  check(_session, { applies_when: condition }) {
    const fault = typeof condition === 'string' && condition.trim() !== '' ? faultOfCondition(condition) : null;
    return fault === null ? [] : [{ field: 'applies_when', message: fault }];
  },
});
