import type { Choice, Column, Jump, Line, Question, Questionnaire, Section } from './question.ts';
import { QUESTION_TYPES } from './question.ts';

type Row = Readonly<Record<string, unknown>>;

/** The names of a template's fields with sections and questions. */
export interface QuestionnaireFields {
  sections: string;
  questions: string;
}

const textIn = (row: Row, name: string): string | undefined => {
  const value = row[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};
const numberIn = (row: Row, name: string): number | undefined => {
  const value = row[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};
const rowsIn = (row: Row, name: string): Row[] => (Array.isArray(row[name]) ? (row[name] as Row[]) : []);

/** Only non-empty members, so that equal questionnaires are equal texts. */
function given<T extends object>(parts: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;
}
const set = (row: Row, name: string): true | undefined => (row[name] === true ? true : undefined);

const choice = (row: Row): Choice =>
  given<Choice>({
    code: textIn(row, 'code') ?? '',
    label: textIn(row, 'label') ?? textIn(row, 'code') ?? '',
    score: numberIn(row, 'score'),
    exclusive: set(row, 'exclusive'),
    other: set(row, 'other'),
    image: numberIn(row, 'image'),
  });
const line = (row: Row): Line =>
  given<Line>({
    code: textIn(row, 'code') ?? '',
    label: textIn(row, 'label') ?? textIn(row, 'code') ?? '',
    visibleIf: textIn(row, 'visible_if'),
  });
const column = (row: Row): Column =>
  given<Column>({
    code: textIn(row, 'code') ?? '',
    label: textIn(row, 'label') ?? textIn(row, 'code') ?? '',
    score: numberIn(row, 'score'),
    input: textIn(row, 'input') as Column['input'],
  });
const jump = (row: Row): Jump => ({ when: textIn(row, 'when') ?? 'true', to: textIn(row, 'to') ?? '' });

function question(row: Row): Question {
  const type = QUESTION_TYPES.find((one) => one === row.question_type) ?? 'short_text';
  return given<Question>({
    code: textIn(row, 'code') ?? '',
    type,
    text: textIn(row, 'text') ?? '',
    help: textIn(row, 'help'),
    required: set(row, 'required'),
    requiredIf: textIn(row, 'required_if'),
    visibleIf: textIn(row, 'visible_if'),
    mayBeNa: set(row, 'may_be_na'),
    options: rowsIn(row, 'options').map(choice),
    rows: rowsIn(row, 'rows').map(line),
    columns: rowsIn(row, 'columns').map(column),
    min: textIn(row, 'min'),
    max: textIn(row, 'max'),
    step: numberIn(row, 'step'),
    minLabel: textIn(row, 'min_label'),
    maxLabel: textIn(row, 'max_label'),
    minChoices: numberIn(row, 'min_choices'),
    maxChoices: numberIn(row, 'max_choices'),
    pattern: textIn(row, 'pattern'),
    total: numberIn(row, 'total'),
    shuffle: set(row, 'shuffle'),
    pinLast: numberIn(row, 'pin_last'),
    formula: textIn(row, 'formula'),
    weight: numberIn(row, 'weight') ?? 1,
    jumps: rowsIn(row, 'jumps').map(jump),
  });
}

/** The minimum number of answers before results of an anonymous questionnaire are shown. */
const FEWEST = 3;
const USUAL_LEAST = 5;

/** A questionnaire as the records of a template describe it. */
export function readQuestionnaire(
  template: Row,
  fields: QuestionnaireFields,
  score: Questionnaire['score'],
): Questionnaire {
  const { paging } = template;
  return {
    sections: rowsIn(template, fields.sections).map((row): Section =>
      given<Section>({
        code: textIn(row, 'code') ?? '',
        title: textIn(row, 'title') ?? '',
        description: textIn(row, 'description'),
        visibleIf: textIn(row, 'visible_if'),
        shuffle: set(row, 'shuffle'),
        repeatOver: textIn(row, 'repeat_over'),
        questions: rowsIn(row, fields.questions).map(question),
      }),
    ),
    score,
    paging: paging === 'question' || paging === 'all' ? paging : 'section',
    allowBack: template.allow_back !== false,
    showProgress: template.show_progress !== false,
    ...(template.anonymity === 'anonymous' && {
      anonymous: { least: Math.max(FEWEST, numberIn(template, 'min_group_size') ?? USUAL_LEAST) },
    }),
  };
}
