import type { Effect } from '../../../engine/modules.ts';
import { storesSetting } from '../stores_setting.ts';
import { addDays, dayOfAct } from '../request_day.ts';

/** Fixes the approved cover for a number of days, and sets the limit of the technical approval to its free amount. */
export const freezeCover: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const { cover_days: days } = await storesSetting(unit);
    await unit.elevated().update('mr', record.id, {
      cover_valid_to: addDays(dayOfAct(unit, record), days),
      approved_free: record.free_value ?? '0',
      cover_note: null,
      cover_changed: false,
    });
  },
};
