import { datesOf, sourceOf } from '../../platform/escalation/sources.ts';
import { COMMON_WORDS, wordFields, wordsIn } from '../../platform/escalation/words.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  check(_session, record, _stored, screens) {
    const source = sourceOf(screens, record.module, record.event);
    if (!source) {
      const dates = datesOf(screens, record.module);
      // What the product itself tells of has events that are no dates; a type is known by its dates alone.
      const event = screens.get('esclation')?.fields.find(({ name }) => name === 'event');
      const inWords = (value: unknown) =>
        event?.options?.find((option) => option.value === value)?.label ?? String(value);
      return dates.length > 0 && dates.every(({ screen, module }) => module === screen.name && module !== 'employee')
        ? [
            {
              field: 'event',
              message: `"${dates[0]!.screen.title}" has no event "${inWords(record.event)}". Choose ${dates.map((one) => `"${inWords(one.event)}" (${one.title})`).join(' or ')}.`,
            },
          ]
        : [];
    }
    // A word that no record has would be sent as an empty place.
    const allowed = new Set<string>([...COMMON_WORDS, ...wordFields(source).keys()]);
    return (['subject', 'body'] as const).flatMap((field) =>
      wordsIn(String(record[field] ?? ''))
        .filter((word) => !allowed.has(word))
        .map((word) => ({
          field,
          message: `{{${word}}} is not a word of "${source.title}". Write one of ${[...allowed].map((one) => `{{${one}}}`).join(', ')}.`,
        })),
    );
  },
});
