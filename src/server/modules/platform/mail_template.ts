import { allowedPlaceholders, NOTIFICATION_EVENTS, placeholdersOf } from '../../services/notifications/events.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  /** A placeholder without a value would leave a gap in the mail. */
  check(_session, record) {
    const event = NOTIFICATION_EVENTS.find(({ code }) => code === record.event_code);
    if (!event) return [];
    const allowed = allowedPlaceholders(event);
    return (['subject', 'body'] as const).flatMap((field) =>
      placeholdersOf(String(record[field] ?? ''))
        .filter((word) => !allowed.includes(word))
        .map((word) => ({
          field,
          message: `{${word}} is not known here. Write one of ${allowed.map((one) => `{${one}}`).join(', ')}.`,
        })),
    );
  },
});
