import { noticeSource } from '../../platform/escalation/notices.ts';
import { datesOf, sourceOf } from '../../platform/escalation/sources.ts';
import { COMMON_WORDS, wordFields, wordsIn } from '../../platform/escalation/words.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { REQUEST_WORDS } from './approval_requests.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** The error of a rule whose event does not exist, with the events that do: it would never send anything. */
function nothingFires(screens: ReadonlyMap<string, Screen>, record: Readonly<Record<string, unknown>>): string {
  const fields = screens.get('esclation')?.fields ?? [];
  const inWords = (name: string, value: unknown) =>
    fields.find((field) => field.name === name)?.options?.find((option) => option.value === value)?.label ??
    String(value);
  const notices = [...screens.values()].find((one) => one.notices?.module === record.module)?.notices;
  const events = [
    ...datesOf(screens, record.module).map(({ event, title }) => `"${inWords('event', event)}" (${title})`),
    ...Object.keys(notices?.events ?? {}).map((event) => `"${inWords('event', event)}"`),
    ...(record.module === 'approval' ? [`"${inWords('event', 'band')}"`] : []),
  ];
  const about = inWords('module', record.module);
  return events.length === 0
    ? `Nothing is sent for "${about}". Choose another entry under "For".`
    : `"${about}" has no event "${inWords('event', record.event)}". Choose ${events.join(' or ')}.`;
}

/** Placeholders that no record has: they would leave a gap in the message. */
function unknownWords(
  record: Readonly<Record<string, unknown>>,
  words: readonly string[],
  about: string,
): FieldError[] {
  const allowed = new Set(words);
  return ['subject', 'body'].flatMap((field) =>
    wordsIn(String(record[field] ?? ''))
      .filter((word) => !allowed.has(word))
      .map((word) => ({
        field,
        message: `{{${word}}} is not a word of ${about}. Write one of ${[...allowed].map((one) => `{{${one}}}`).join(', ')}.`,
      })),
  );
}

export default defineHooks({
  check(_session, record, _stored, screens) {
    const dated = sourceOf(screens, record.module, record.event);
    const source = dated ?? noticeSource(screens, record.module, record.event);
    // Messages for approval requests come from the bands of their slab, with the placeholders of the request.
    if (!source && record.module === 'approval' && record.event === 'band')
      return unknownWords(record, REQUEST_WORDS, 'an approval');
    if (!source) return [{ field: 'event', message: nothingFires(screens, record) }];
    if (!dated && Number(record.days ?? 0) !== 0)
      return [{ field: 'days', message: 'This is sent at once. Leave the days at 0.' }];
    return unknownWords(record, [...COMMON_WORDS, ...wordFields(source).keys()], `"${source.title}"`);
  },
});
