import type { Guard } from '../../../engine/modules.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { lastEnteredMonth, sheetBelow } from '../sheet_in_use.ts';

/** A disputed sheet becomes a draft again while it has no figures and no sheet counts into it; afterwards it is revised (§4). */
export const sheetIsUnused: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const wrong = (message: string) => [{ field: 'status', message }];
    const done = await lastEnteredMonth(unit, record.id, '');
    if (done !== null) return wrong(`${monthTitle(done)} has figures already. Revise the sheet from a later month.`);
    const below = await sheetBelow(unit, record.id);
    return below === null ? [] : wrong(`${below} counts into this sheet. Change targets instead.`);
  },
};
