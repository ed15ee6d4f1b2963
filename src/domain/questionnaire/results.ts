import { codeOf } from './answer_form.ts';
import type { CrossTab } from './cross_tab.ts';
import { choicesOf, isAnsweredByPerson, pointsOf } from './question.ts';
import type { Answer, Question, Questionnaire } from './question.ts';
import { answerText, withoutAnswers } from './shown_text.ts';

/** A choice, and how often it was chosen. `percent`: of those who answered the question. */
export interface Counted {
  code: string;
  label: string;
  n: number;
  percent: string | null;
}
export interface Figure {
  title: string;
  value: string;
}

/** The results of one question. */
export interface QuestionResult {
  code: string;
  type: Question['type'];
  text: string;
  /** The number of respondents; null: too few to show. */
  n: number | null;
  na: number;
  bars: Counted[];
  figures: Figure[];
  /** Rows of a matrix by its columns, or options with their figures. */
  table: { columns: string[]; rows: { label: string; cells: string[] }[] } | null;
  /** The text answers, up to a maximum number. */
  texts: string[];
}

/** The results of a questionnaire. */
export interface QuestionnaireSummary {
  title: string;
  /** The number of submissions; null: too few to show. */
  answered: number | null;
  /** Begun and not handed in. */
  open: number;
  /** The minimum number of answers before results are shown; 0: respondents are named. */
  least: number;
  score: Figure[];
  questions: QuestionResult[];
  /** The possible groupings: questions, and fields of the answering records. */
  groups: { code: string; title: string }[];
  /** Each fixed-choice question by the requested group. */
  cross: ({ code: string; text: string } & CrossTab)[] | null;
}

/** One record that answers, as a line. */
export interface AnswerLine {
  type: string;
  id: number;
  /** Its label, and its answers as text by question. */
  title: string;
  score: string | null;
  answers: Record<string, string>;
}

/** Texts that a page shows of one question. */
const MAX_TEXTS = 200;

const sum = (list: readonly number[]): number => list.reduce((one, other) => one + other, 0);
const two = (value: number): string => value.toFixed(2);
const share = (part: number, of: number): string | null => (of === 0 ? null : ((100 * part) / of).toFixed(1));
const figure = (title: string, value: string | null): Figure[] => (value === null ? [] : [{ title, value }]);

/** Mean, median and sample standard deviation of numbers, lowest and highest. */
export function spreadOf(values: readonly number[]): Figure[] {
  const n = values.length;
  if (n === 0) return [];
  const sorted = values.toSorted((one, other) => one - other);
  const mean = sum(values) / n;
  const middle = n % 2 === 1 ? sorted[(n - 1) / 2]! : (sorted[n / 2 - 1]! + sorted[n / 2]!) / 2;
  const deviation = n < 2 ? null : Math.sqrt(sum(values.map((one) => (one - mean) ** 2)) / (n - 1));
  return [
    ...figure('Mean', two(mean)),
    ...figure('Median', two(middle)),
    ...figure('Standard deviation', deviation === null ? null : two(deviation)),
    ...figure('Lowest', String(sorted[0])),
    ...figure('Highest', String(sorted[n - 1])),
  ];
}

/** Promoters minus detractors in percent of all, with the 95 % margin. */
export function npsOf(values: readonly number[]): {
  nps: string;
  margin: string;
  promoters: number;
  passives: number;
  detractors: number;
} {
  const n = values.length;
  const promoters = values.filter((one) => one >= 9).length;
  const detractors = values.filter((one) => one <= 6).length;
  const [p, d] = [promoters / n, detractors / n];
  const margin = 1.96 * Math.sqrt((p + d - (p - d) ** 2) / n) * 100;
  return {
    nps: ((p - d) * 100).toFixed(1),
    margin: margin.toFixed(1),
    promoters,
    passives: n - promoters - detractors,
    detractors,
  };
}

function countedBy(
  choices: readonly { code: string; label: string }[],
  codes: readonly string[],
  n: number,
): Counted[] {
  return choices.map(({ code, label }) => {
    const count = codes.filter((one) => one === code).length;
    return { code, label, n: count, percent: share(count, n) };
  });
}

const scale = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, at) => ({ code: String(low + at), label: String(low + at) }));

/** Figures of answers on a scale: mean, the two best and the two worst points, and NPS for recommendations. */
function pointFigures(question: Question, values: readonly number[]): Figure[] {
  const [low, high] = pointsOf(question)!;
  const n = values.length;
  if (n === 0) return [];
  const mean = figure('Mean', two(sum(values) / n));
  if (question.type === 'nps') {
    const { nps, margin, promoters, passives, detractors } = npsOf(values);
    return [
      ...figure('NPS', `${nps} ± ${margin}`),
      ...figure('Promoters', `${promoters} (${share(promoters, n)} %)`),
      ...figure('Passives', `${passives} (${share(passives, n)} %)`),
      ...figure('Detractors', `${detractors} (${share(detractors, n)} %)`),
      ...mean,
    ];
  }
  return [
    ...mean,
    ...figure('Two best', `${share(values.filter((one) => one >= high - 1).length, n)} %`),
    ...figure('Two worst', `${share(values.filter((one) => one <= low + 1).length, n)} %`),
  ];
}

type Parts = Pick<QuestionResult, 'bars' | 'figures' | 'table' | 'texts'>;
const NOTHING: Parts = { bars: [], figures: [], table: null, texts: [] };

function matrix(question: Question, values: readonly Record<string, unknown>[]): Parts {
  const rated = question.type === 'matrix_rating';
  const columns = rated ? scale(...pointsOf(question)!) : question.columns;
  const rows = question.rows.map(({ code, label }) => {
    const cells = values.flatMap((value) => (value[code] === undefined ? [] : [value[code]]));
    const chosen = cells.flatMap((cell) => (Array.isArray(cell) ? (cell as unknown[]) : [cell])).map(String);
    const counts = columns.map((column) => chosen.filter((one) => one === column.code).length);
    const shown = counts.map((count) => `${count} (${share(count, cells.length) ?? '0.0'} %)`);
    const numbers = cells.map(Number);
    const [, high] = rated ? pointsOf(question)! : [0, 0];
    const more = !rated
      ? []
      : numbers.length === 0
        ? ['', '']
        : [
            two(sum(numbers) / numbers.length),
            `${share(numbers.filter((one) => one >= high - 1).length, numbers.length)} %`,
          ];
    return { label, cells: [...shown, ...more] };
  });
  return {
    ...NOTHING,
    table: { columns: [...columns.map(({ label }) => label), ...(rated ? ['Mean', 'Two best'] : [])], rows },
  };
}

function ranking(question: Question, values: readonly string[][]): Parts {
  const max = question.options.length;
  const rows = question.options.map(({ code, label }) => {
    const ranks = values.flatMap((value) => (value.includes(code) ? [value.indexOf(code) + 1] : []));
    const points = sum(ranks.map((rank) => max + 1 - rank));
    return {
      label,
      cells: [ranks.length === 0 ? '' : two(sum(ranks) / ranks.length), String(points), String(ranks.length)],
    };
  });
  return { ...NOTHING, table: { columns: ['Average rank', 'Points', 'Ranked'], rows } };
}

function sums(question: Question, values: readonly Record<string, number>[]): Parts {
  const rows = question.options.map(({ code, label }) => {
    const total = sum(values.map((value) => value[code] ?? 0));
    return { label, cells: [values.length === 0 ? '' : two(total / values.length)] };
  });
  return { ...NOTHING, table: { columns: ['Mean'], rows } };
}

function partsOf(question: Question, values: readonly unknown[]): Parts {
  const n = values.length;
  switch (question.type) {
    case 'yes_no':
    case 'consent':
    case 'single_choice':
    case 'dropdown':
    case 'image_choice':
    case 'multiple_choice': {
      const chosen = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
      const codes = chosen.flatMap((one) => codeOf(one) ?? []);
      const own = chosen.flatMap((one) =>
        typeof one === 'object' && one !== null && 'text' in one ? [String(one.text)] : [],
      );
      return { ...NOTHING, bars: countedBy(choicesOf(question), codes, n), texts: own };
    }
    case 'rating':
    case 'scale':
    case 'csat':
    case 'ces':
    case 'nps': {
      const bars = countedBy(scale(...pointsOf(question)!), values.map(String), n);
      return { ...NOTHING, bars, figures: pointFigures(question, values.map(Number)) };
    }
    case 'number':
    case 'slider':
    case 'calculated':
      return { ...NOTHING, figures: spreadOf(values.map(Number).filter(Number.isFinite)) };
    case 'matrix_single':
    case 'matrix_multiple':
    case 'matrix_rating':
      return matrix(question, values as Record<string, unknown>[]);
    case 'ranking':
      return ranking(question, values as string[][]);
    case 'constant_sum':
      return sums(question, values as Record<string, number>[]);
    default:
      return {
        ...NOTHING,
        texts: values.map((value) => answerText({ question, value, na: false, rows: question.rows })),
      };
  }
}

/** The answers of one respondent, by key. */
export type AnsweredBy = Readonly<Record<string, Answer>>;

/** The values given for a question, including all repetitions of its section. */
export function valuesOf({ code }: Question, answers: AnsweredBy): Answer[] {
  return Object.entries(answers).flatMap(([key, answer]) => (key.split('#')[0] === code ? [answer] : []));
}

/** The results of each question. `least`: results of fewer answers are suppressed. */
export function resultsOf({ sections }: Questionnaire, all: readonly AnsweredBy[], least = 0): QuestionResult[] {
  return sections
    .flatMap(({ questions }) => questions)
    .filter(({ type }) => isAnsweredByPerson(type) || type === 'calculated' || type === 'hidden')
    .map((question) => {
      const given = all.flatMap((answers) => valuesOf(question, answers));
      const values = given.flatMap(({ value, na }) => (na || value === null || value === undefined ? [] : [value]));
      const head = { code: question.code, type: question.type, text: withoutAnswers(question.text) };
      if (values.length < least && least > 0) return { ...head, ...NOTHING, n: null, na: 0 };
      const parts = partsOf(question, values);
      const na = given.filter((one) => one.na).length;
      // Sorted, so that texts of one question are not in the order of another's: nobody can match texts of the same
      // respondent.
      const texts = least > 0 ? parts.texts.toSorted() : parts.texts;
      return { ...head, ...parts, texts: texts.slice(0, MAX_TEXTS), n: values.length, na };
    });
}

/** Questions with few fixed answers: they can be used for grouping. */
export function groupsOf(question: Question): { code: string; label: string }[] | null {
  if (['yes_no', 'consent', 'single_choice', 'dropdown', 'image_choice'].includes(question.type))
    return choicesOf(question);
  const points = pointsOf(question);
  return points && question.type !== 'matrix_rating' ? scale(...points) : null;
}
