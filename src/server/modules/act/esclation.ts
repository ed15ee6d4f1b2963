import { sourceOf } from '../../escalation/sources.ts';
import { COMMON_WORDS, wordFields, wordsIn } from '../../escalation/words.ts';
import { defineHooks } from '../../records/hooks.ts';

export default defineHooks({
  /** A word that no record has would be sent as an empty place. */
  check(_session, record, _stored, screens) {
    const source = sourceOf(record.module, record.event);
    const screen = source && screens.get(source.type);
    if (!source || !screen) return [];
    const allowed = new Set<string>([...COMMON_WORDS, ...wordFields(source, screen).keys()]);
    return (['subject', 'body'] as const).flatMap((field) =>
      wordsIn(String(record[field] ?? ''))
        .filter((word) => !allowed.has(word))
        .map((word) => ({ field, message: `{{${word}}} is not a word of "${source.title}". Write one of ${[...allowed].map((one) => `{{${one}}}`).join(', ')}.` })),
    );
  },
});
