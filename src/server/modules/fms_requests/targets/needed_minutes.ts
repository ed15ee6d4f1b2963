import type { Target } from '../../../engine/modules.ts';

const MINUTE_MS = 60_000;

/** The time from the writing of a request until its parts are needed, by day and night. */
export const neededMinutes: Target = {
  run({ record }) {
    const minutes =
      typeof record.needed_by === 'string'
        ? Math.round(
            (Date.parse(record.needed_by) - Date.parse(String(record.asked_at ?? record.created_at))) / MINUTE_MS,
          )
        : null;
    return Promise.resolve({ minutes: minutes === null || minutes <= 0 ? null : minutes, calendar: 'always' });
  },
};
