/** The kinds of questions (act_engage.md §3.8), in the order in which a builder offers them. */
export const QUESTION_TYPES = [
  'short_text',
  'long_text',
  'number',
  'email',
  'phone',
  'date',
  'time',
  'yes_no',
  'single_choice',
  'dropdown',
  'multiple_choice',
  'image_choice',
  'rating',
  'scale',
  'slider',
  'nps',
  'csat',
  'ces',
  'ranking',
  'constant_sum',
  'matrix_single',
  'matrix_multiple',
  'matrix_rating',
  'matrix_input',
  'multiple_input',
  'file',
  'signature',
  'geo',
  'statement',
  'consent',
  'calculated',
  'hidden',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** Data that a module attaches to a generated part of a questionnaire: for scoring, and to identify its origin. */
export type Facts = Readonly<Record<string, unknown>>;

/** Something to choose. */
export interface Choice {
  code: string;
  label: string;
  score?: number;
  /** It clears the others. */
  exclusive?: true;
  /** It has a free text field. */
  other?: true;
  /** Number of a picture. */
  image?: number;
  facts?: Facts;
}
/** A line of a matrix. */
export interface Line {
  code: string;
  label: string;
  visibleIf?: string;
}
/** A column of a matrix; `input` is the type of entry in a matrix of inputs. */
export interface Column {
  code: string;
  label: string;
  score?: number;
  input?: 'text' | 'number' | 'date';
}
/** Where to continue after a section. */
export interface Jump {
  when: string;
  /** Code of a section, or `end`, or `screen_out`. */
  to: string;
}

export interface Question {
  code: string;
  type: QuestionType;
  text: string;
  help?: string;
  required?: true;
  requiredIf?: string;
  visibleIf?: string;
  /** "Not applicable" may be chosen instead of an answer. */
  mayBeNa?: true;
  options: Choice[];
  rows: Line[];
  columns: Column[];
  /** A number, an ISO date or time, or an expression. */
  min?: string;
  max?: string;
  step?: number;
  minLabel?: string;
  maxLabel?: string;
  minChoices?: number;
  maxChoices?: number;
  pattern?: string;
  /** The required total of a constant sum. */
  total?: number;
  shuffle?: true;
  /** How many options keep their position at the end of a shuffled list. */
  pinLast?: number;
  formula?: string;
  weight: number;
  jumps: Jump[];
  /** It is attached to the question before it, such as a photo or a remark; `folded`: when it is expanded. */
  beside?: 'open' | 'folded';
  /** Files are pictures. */
  pictures?: true;
  facts?: Facts;
}

export interface Section {
  code: string;
  title: string;
  description?: string;
  visibleIf?: string;
  shuffle?: true;
  /**
   * Code of an earlier question: the section is repeated for each of its answers, or as often as it says. Or a fact
   * about the respondent, `recipient.landings`.
   */
  repeatOver?: string;
  facts?: Facts;
  questions: Question[];
}

/** How the answers are combined into a score. */
export type ScoreMethod = 'index' | 'points' | 'none';

/** The content frozen in a version of a questionnaire. */
export interface Questionnaire {
  sections: Section[];
  score: ScoreMethod;
  /** How much is on one page. */
  paging: 'section' | 'question' | 'all';
  allowBack: boolean;
  showProgress: boolean;
  /** Respondents are anonymous; no results are shown for fewer than `least`. */
  anonymous?: { least: number };
}

/** The answer to a question: a value, or not applicable. */
export interface Answer {
  value: unknown;
  na?: boolean;
}
/** By question key: its code, or `code#index` in a repeated section. */
export type Answers = Readonly<Record<string, Answer>>;

/** Jump targets other than sections. */
export const ENDS: ReadonlySet<string> = new Set(['end', 'screen_out']);

/** Codes of built-in choices. */
const YES_NO: Choice[] = [
  { code: 'yes', label: 'Yes' },
  { code: 'no', label: 'No' },
];
const CHOSEN: ReadonlySet<QuestionType> = new Set([
  'single_choice',
  'dropdown',
  'image_choice',
  'multiple_choice',
  'ranking',
  'constant_sum',
]);
const ROWS: ReadonlySet<QuestionType> = new Set([
  'matrix_single',
  'matrix_multiple',
  'matrix_rating',
  'matrix_input',
  'multiple_input',
]);
const COLUMNS: ReadonlySet<QuestionType> = new Set(['matrix_single', 'matrix_multiple', 'matrix_input']);
const POINTS: Partial<Record<QuestionType, [number, number]>> = {
  rating: [1, 5],
  scale: [1, 5],
  csat: [1, 5],
  ces: [1, 7],
  nps: [0, 10],
  matrix_rating: [1, 5],
};

/** Whether the author lists the options. */
export const takesOptions = (type: QuestionType): boolean => CHOSEN.has(type);
/** Whether the author lists rows. */
export const takesRows = (type: QuestionType): boolean => ROWS.has(type);
/** Whether the author lists columns. */
export const takesColumns = (type: QuestionType): boolean => COLUMNS.has(type);
/** Whether a person answers it; others are displayed, computed or submitted. */
export const isAnsweredByPerson = (type: QuestionType): boolean =>
  type !== 'statement' && type !== 'calculated' && type !== 'hidden';

/** The choices of a question; for yes or no even if the author lists none. */
export function choicesOf({ type, options }: Question): Choice[] {
  return (type === 'yes_no' || type === 'consent') && options.length === 0 ? YES_NO : options;
}

/** The lowest and highest point of a rating question; null for others. */
export function pointsOf({ type, min, max }: Question): [number, number] | null {
  const usual = POINTS[type];
  if (!usual) return null;
  if (type === 'nps') return usual;
  const given = (written: string | undefined, otherwise: number) =>
    written !== undefined && /^-?\d+$/.test(written) ? Number(written) : otherwise;
  return [given(min, usual[0]), given(max, usual[1])];
}
