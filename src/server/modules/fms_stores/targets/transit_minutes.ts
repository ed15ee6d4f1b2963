import type { Target } from '../../../engine/modules.ts';
import { storesSetting } from '../stock/lookups.ts';

const MINUTES_OF_DAY = 24 * 60;

/** The time that a transfer may be in transit by the settings, by day and night. */
export const transitMinutes: Target = {
  async run({ unit }) {
    const { transit_alert_days: days } = await storesSetting(unit);
    return { minutes: days > 0 ? days * MINUTES_OF_DAY : null, calendar: 'always' };
  },
};
