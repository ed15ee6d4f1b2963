import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Type answers: the reference to the template whose questionnaire is answered. */
    answersOf?: string;
  }
}

export const xOf = defineWord<string>({
  name: 'x-of',
  on: 'field',
  shape: {
    description: 'For answers: the reference to the record whose questionnaire is answered.',
    type: 'string',
    minLength: 1,
    examples: ['survey_id'],
  },
  compile: (written, { field, source, at, known }) => {
    if (field.type === 'answers') {
      field.readOnly = true;
      if (written === undefined)
        source.report(
          at,
          `"${field.name}" answers no questionnaire.`,
          'Say which reference leads to it: "x-of": "survey_id".',
        );
      else field.answersOf = written;
    } else if (written !== undefined && known)
      source.report(
        [...at, 'x-of'],
        `"${field.name}" is of type ${field.type}.`,
        'Write { "$ref": "types#answers", "x-of": … } for the answers to a questionnaire.',
      );
  },
  check: (field, { check, at, siblings, rows }) => {
    if (field.answersOf === undefined) return;
    const path = [...at, 'x-of'];
    if (rows !== undefined)
      check.report(path, 'Rows are not answered.', 'Make them records of a type of their own, with "part".');
    const reference = siblings.find(({ name }) => name === field.answersOf);
    const names = siblings.filter(({ type }) => type === 'ref').map(({ name }) => name);
    if (!reference) return check.unknown(path, field.answersOf, names, 'x-of');
    const template = reference.ref && check.all.drafts.get(reference.ref.type)?.screen;
    if (reference.type !== 'ref' || (template && !template.questionnaire))
      check.report(
        path,
        `"${reference.name}" leads to no questionnaire.`,
        'Name a reference to a type that says "questionnaire".',
      );
  },
  unbind: (free, { gone }) => {
    if (free.answersOf !== undefined && gone.has(free.answersOf)) delete free.answersOf;
  },
  chapter: 'References',
  doc: [
    '**`x-of`**, for a field of type `answers`, names the reference to the template whose questionnaire is answered. The',
    'first answer fixes the version: a record keeps its questions to the end, even if a new version is published. Each',
    'answer is stored separately, with the time at which it was given on the device; of two, the later one counts. `PUT`,',
    'sheets and imports do not write it. People who may change the record may answer, in the states that leave the field',
    'editable; the effect [`hand_in`](#questionnaires) checks all answers when they are submitted.',
  ],
});
