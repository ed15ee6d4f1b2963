import { defineWord } from '../word.ts';

/** Rows that are questions: what is asked, and the columns in which it is answered. */
export interface RowQuestions {
  /** The column that says what is asked. */
  question: string;
  /** The column that says of which one, where a question is asked several times. */
  number?: string;
  /** A question is answered when one of them is filled in. */
  answers: string[];
  /** What may be said besides. */
  more?: string[];
}

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: they are questions, which a phone asks one at a time. */
    questions?: RowQuestions;
  }
}

const column = { type: 'string', pattern: '^[a-z][a-z0-9_]*$' };

export const xQuestions = defineWord<RowQuestions>({
  name: 'x-questions',
  on: 'field',
  shape: {
    description: 'Of child rows: they are questions, which a phone asks one at a time.',
    type: 'object',
    required: ['question', 'answers'],
    additionalProperties: false,
    properties: {
      question: { description: 'The column that says what is asked.', ...column },
      number: { description: 'The column that says of which one, where it is asked several times.', ...column },
      answers: {
        description: 'The columns that answer it: it is answered when one of them is filled in.',
        type: 'array',
        items: column,
        minItems: 1,
        uniqueItems: true,
      },
      more: {
        description: 'Columns for what may be said besides.',
        type: 'array',
        items: column,
        uniqueItems: true,
      },
    },
    examples: [{ question: 'question_id', answers: ['answer', 'photo'], more: ['remark'] }],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.rows) field.questions = written;
    else if (known)
      source.report(
        [...at, 'x-questions'],
        `"${field.name}" has no child rows.`,
        'Write it beside "items", at the field whose rows are the questions.',
      );
  },
  check: (field, { check, at }) => {
    const { questions, rows = [] } = field;
    if (!questions) return;
    const { question, number, answers, more = [] } = questions;
    const names = rows.map(({ name }) => name);
    const placed: [string | number, string][] = [
      ['question', question],
      ...(number === undefined ? [] : [['number', number] as [string, string]]),
      ...answers.map((name): [string, string] => ['answers', name]),
      ...more.map((name): [string, string] => ['more', name]),
    ];
    const seen = new Set<string>();
    for (const [place, name] of placed) {
      const path = [...at, 'x-questions', place];
      const of = rows.find((one) => one.name === name);
      if (!of) check.unknown(path, name, names, '"x-questions" (a column of the rows)');
      else if (seen.has(name)) check.report(path, `"${name}" is named twice.`, 'Name each column once.');
      else if ((place === 'answers' || place === 'more') && (of.readOnly || of.formula !== undefined))
        check.report(path, `Nobody can fill in "${name}".`, 'Name columns that people enter.');
      seen.add(name);
    }
  },
  chapter: 'Child rows',
  doc: [
    '**`x-questions`** says that the rows of a field are questions: `question` is the column that says what is asked, and',
    '`number` of which one, where a question is asked several times. A phone then asks one question at a time, with the',
    'columns of `answers` to answer it and those of `more` below: few choices are buttons, a picture is taken with the camera.',
    'It shows how far one has come and all answers in the end. A desk keeps the table.',
  ],
  example: [
    {
      part: {
        checks: {
          type: 'array',
          title: 'Checks',
          'x-questions': { question: 'what', answers: ['result', 'photo'], more: ['remark'] },
          items: {
            type: 'object',
            required: ['what'],
            properties: {
              what: { $ref: 'types#text' },
              result: { enum: ['good', 'worn', 'broken'] },
              photo: { $ref: 'types#image' },
              remark: { $ref: 'types#text' },
            },
          },
        },
      },
    },
  ],
});
