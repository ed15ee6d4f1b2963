import { isDeepStrictEqual } from 'node:util';
import type { HandInArgs } from '../../../descriptor/shared_effects.ts';
import { complete } from '../../../domain/questionnaire/completion.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { answersOf, asAnswers, settleAnswers } from '../questionnaire/answer_rows.ts';
import { ANONYMOUS, answersField, attributesOf, versionFor } from '../questionnaire/answered_version.ts';
import { valueIn } from '../workflow/values.ts';
import type { SharedEffect } from './shared_call.ts';

/**
 * `hand_in`: validates all answers, removes answers to hidden questions, stores computed values, and sets the score.
 */
export const handInEffect: SharedEffect = {
  async apply({ unit, around, args }) {
    const { answers: name, score, screened_out: out, when } = args as unknown as HandInArgs;
    if (when !== undefined && (await valueIn(around, when)) !== true) return;
    const { session, screen } = around;
    const { tenant } = session;
    const record = await unit.read(screen.name, Number(around.record.id));
    const version = await versionFor(tenant, screen, answersField(screen, name), record);
    if (!version) return unit.refuse([{ field: name, message: 'This questionnaire is not published yet.' }]);
    // Through its link, these are submitted together, without the record.
    if (version.content.anonymous) return unit.refuse([{ field: name, message: ANONYMOUS }]);
    const of = { type: screen.name, id: record.id, field: name };
    const answers = asAnswers(await answersOf(tenant, of));
    const done = complete(version.content, answers, {
      seed: seedOf(screen.name, record.id),
      attributes: attributesOf(screen, record),
    });
    if (done.faults.length > 0)
      return unit.refuse(
        done.faults.map(({ key, message }) => ({
          field: `${name}.${key}`,
          message: `${textOf(version.content, key)}: ${message}`,
        })),
      );
    // The computed values, and tables without hidden rows.
    const changed = Object.fromEntries(
      Object.entries(done.kept).flatMap(([key, { value }]) =>
        isDeepStrictEqual(value, answers[key]?.value) ? [] : [[key, value]],
      ),
    );
    await settleAnswers(tenant, of, done.dropped, changed, unit.now.toISOString());
    const set = {
      ...(record[name] !== version.id && { [name]: version.id }),
      ...(score !== undefined && { [score]: done.score }),
      ...(out !== undefined && { [out]: done.end === 'screen_out' }),
    };
    if (Object.keys(set).length > 0) await unit.update(screen.name, record.id, set, record.version);
  },
  // The submitted answers remain; the record can be answered again if its state allows it.
  reverse: () => Promise.resolve(),
};

type Content = Parameters<typeof complete>[0];

/**
 * The name of a question in a message: including the question it is attached to and, in a repeated section, the entry.
 */
function textOf({ sections }: Content, key: string): string {
  const [code, which] = key.split('#');
  const own = sections.find(({ questions }) => questions.some((one) => one.code === code))?.questions ?? [];
  const at = own.findIndex((one) => one.code === code);
  const lead = own.slice(0, at + 1).findLast(({ beside }) => beside === undefined);
  const text = (lead?.text ?? key).replace(/[?.:!\s]+$/, '');
  return [
    text.length > 60 ? `${text.slice(0, 59)}…` : text,
    which === undefined ? '' : ` · ${which}`,
    own[at] && own[at] !== lead ? `, ${own[at].text}` : '',
  ].join('');
}
