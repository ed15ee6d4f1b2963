import { ExpressionSyntaxError, compileExpression } from '../../descriptor/expression/compile_expression.ts';
import { ExpressionError, fromPlain } from '../../descriptor/expression/value.ts';
import type { Value } from '../../descriptor/expression/value.ts';
import { codeOf, formOf } from './answer_form.ts';
import type { Answers, Jump, Line, Question, Questionnaire, Section } from './question.ts';
import { choicesOf, isAnsweredByPerson } from './question.ts';
import { shuffled } from './shuffle.ts';

/** The respondent, as far as the questionnaire needs. */
export interface Respondent {
  /** The seed that keeps a shuffled order stable. */
  seed: string;
  /** Facts about them, for conditions and texts: `recipient.city`; hidden questions use their own code. */
  attributes?: Readonly<Record<string, unknown>>;
}

/** A question that is visible with the current answers. */
export interface Asked {
  /** The key of its answer. */
  key: string;
  question: Question;
  required: boolean;
  /** The visible rows of a matrix. */
  rows: Line[];
  value: unknown;
  na: boolean;
  /** The minimum and maximum value, if limited. */
  min: Value;
  max: Value;
}

/** A section that is visible with the current answers. */
export interface ShownSection {
  section: Section;
  /** For a repeated section: the index and its label. */
  repeat: { code: string; label: string } | null;
  asked: Asked[];
}

/** The course of a questionnaire with the current answers. */
export interface Course {
  sections: ShownSection[];
  /** All visible questions, in order. */
  asked: Asked[];
  /** How it ends; `screen_out`: the respondent is screened out. */
  end: 'end' | 'screen_out';
  /** The values visible to conditions and texts. */
  scope: Readonly<Record<string, Value>>;
}

/** The maximum number of repetitions of a section. */
const MAX_REPEATS = 120;

const EMPTY: Value = null;

/** Prefix of the names of facts about the respondent. */
const FACT = 'recipient.';

/** The result of an expression; null if it cannot be computed from these values. */
function valueOf(expression: string, scope: Readonly<Record<string, Value>>): Value {
  try {
    return compileExpression(expression).evaluate(scope);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ExpressionSyntaxError) return EMPTY;
    throw error;
  }
}

/** Whether a condition is true; a comparison with an empty value is not. */
const holds = (expression: string | undefined, scope: Readonly<Record<string, Value>>): boolean =>
  expression === undefined || valueOf(expression, scope) === true;

/** A limit: a literal, or the result of an expression. */
function limitOf(written: string | undefined, scope: Readonly<Record<string, Value>>): Value {
  if (written === undefined || written === '') return EMPTY;
  if (/^-?\d+(\.\d+)?$/.test(written)) return fromPlain(Number(written));
  if (/^(\d{4}-\d\d-\d\d|\d\d:\d\d)$/.test(written)) return written;
  return valueOf(written, scope);
}

/** An answer as seen by conditions: codes without free text; for a matrix each row by its code. */
function seenAs({ type }: Question, value: unknown): { whole: Value; lines: Record<string, Value> } {
  if (value === null || value === undefined) return { whole: EMPTY, lines: {} };
  if (Array.isArray(value)) return { whole: fromPlain(value.map((one) => codeOf(one) ?? one)), lines: {} };
  if (typeof value !== 'object') return { whole: fromPlain(value), lines: {} };
  const code = codeOf(value);
  if (code !== null) return { whole: code, lines: {} };
  const lines = Object.fromEntries(Object.entries(value).map(([line, one]) => [line, fromPlain(one)]));
  return { whole: type === 'geo' ? true : Object.values(lines), lines };
}

/** A number of repetitions, by index. */
const numbered = (times: number): { code: string; label: string }[] =>
  Array.from({ length: Math.min(Math.max(Math.floor(times), 0), MAX_REPEATS) }, (_, at) => ({
    code: String(at + 1),
    label: String(at + 1),
  }));

/** The repetitions of a section, by the answer or fact it is repeated over. */
function repeatsOf(
  questions: ReadonlyMap<string, Asked>,
  over: string,
  attributes: Respondent['attributes'] = {},
): { code: string; label: string }[] {
  if (over.startsWith(FACT)) return numbered(Number(attributes[over.slice(FACT.length)] ?? 0) || 0);
  const found = questions.get(over);
  if (!found || found.value === null) return [];
  const { question, value } = found;
  if (typeof value === 'number') return numbered(value);
  const list = Array.isArray(value) ? value : [value];
  return list.slice(0, MAX_REPEATS).flatMap((one) => {
    const code = codeOf(one);
    if (code === null) return [];
    const text = typeof one === 'object' && one !== null ? (one as { text?: string }).text : undefined;
    return [{ code, label: text ?? choicesOf(question).find((choice) => choice.code === code)?.label ?? code }];
  });
}

/** The target of the jump taken at the end of a section; null = the next one. */
function jumpOf(asked: readonly Asked[], scope: Readonly<Record<string, Value>>): Jump | null {
  for (const { question } of asked) for (const jump of question.jumps) if (holds(jump.when, scope)) return jump;
  return null;
}

/**
 * Runs through a questionnaire with the current answers, in one pass: conditions see earlier answers and nothing
 * hidden, so an answer to a hidden question counts for nothing. Text answers are parsed; invalid ones count as missing.
 */
export function courseOf(questionnaire: Questionnaire, answers: Answers, respondent: Respondent): Course {
  const scope: Record<string, Value> = {};
  for (const [name, value] of Object.entries(respondent.attributes ?? {})) scope[`${FACT}${name}`] = fromPlain(value);
  const byCode = new Map<string, Asked>();
  const sections: ShownSection[] = [];
  let skipTo: string | null = null;
  let end: Course['end'] = 'end';
  for (const section of questionnaire.sections) {
    if (skipTo !== null && skipTo !== section.code) continue;
    skipTo = null;
    if (!holds(section.visibleIf, scope)) continue;
    const repeats =
      section.repeatOver === undefined ? [null] : repeatsOf(byCode, section.repeatOver, respondent.attributes);
    const shown: ShownSection[] = [];
    for (const repeat of repeats) {
      // Within a repetition a code refers to the answer of this repetition.
      const own = repeat ? { ...scope, repeat: repeat.code } : scope;
      const asked = askedIn(section, repeat, answers, respondent, own, byCode);
      shown.push({ section, repeat, asked });
    }
    if (section.repeatOver !== undefined) joinRepeats(section, shown, scope);
    sections.push(...shown.filter(({ asked }) => asked.length > 0));
    const jump = jumpOf(
      shown.flatMap(({ asked }) => asked),
      scope,
    );
    if (jump?.to === 'end') break;
    if (jump?.to === 'screen_out') {
      end = 'screen_out';
      break;
    }
    if (jump) skipTo = jump.to;
  }
  return { sections, asked: sections.flatMap(({ asked }) => asked), end, scope };
}

/** After a repeated section its codes stand for the answers of all repetitions. */
function joinRepeats({ questions }: Section, shown: readonly ShownSection[], scope: Record<string, Value>): void {
  for (const { code } of questions) {
    const all = shown.flatMap(({ asked }) => asked.filter(({ question }) => question.code === code));
    scope[code] = all.map(({ question, value }) => seenAs(question, value).whole);
  }
}

/** The visible questions of a section; adds their answers to the values for conditions. */
function askedIn(
  section: Section,
  repeat: { code: string; label: string } | null,
  answers: Answers,
  { seed, attributes }: Respondent,
  scope: Record<string, Value>,
  byCode: Map<string, Asked>,
): Asked[] {
  const list = section.shuffle ? shuffled(section.questions, `${seed} ${section.code}`) : section.questions;
  const asked: Asked[] = [];
  for (const question of list) {
    if (!holds(question.visibleIf, scope)) continue;
    const key = repeat ? `${question.code}#${repeat.code}` : question.code;
    const answer = answers[key];
    const na = question.mayBeNa === true && answer?.na === true;
    const given = question.type === 'hidden' ? (attributes?.[question.code] ?? answer?.value) : answer?.value;
    const formed = na || !isKept(question) ? { value: null } : formOf(question, given);
    const computed = question.type === 'calculated' && question.formula !== undefined;
    const value = computed ? plain(valueOf(question.formula!, scope)) : 'value' in formed ? formed.value : null;
    const one: Asked = {
      key,
      question,
      value,
      na,
      required:
        isAnsweredByPerson(question.type) &&
        (question.required === true || (question.requiredIf !== undefined && holds(question.requiredIf, scope))),
      rows: question.rows.filter(({ visibleIf }) => holds(visibleIf, scope)),
      min: limitOf(question.min, scope),
      max: limitOf(question.max, scope),
    };
    const lines = new Set(one.rows.map(({ code }) => code));
    if (one.rows.length < question.rows.length && typeof value === 'object' && value !== null)
      one.value = onlyLines(value as Record<string, unknown>, lines);
    const seen = seenAs(question, one.value);
    scope[question.code] = seen.whole;
    for (const [line, cell] of Object.entries(seen.lines)) scope[`${question.code}.${line}`] = cell;
    byCode.set(question.code, one);
    asked.push(one);
  }
  return asked;
}

/** Whether a submitted value is stored as an answer. */
const isKept = ({ type }: Question): boolean => type !== 'statement' && type !== 'calculated';

function onlyLines(value: Record<string, unknown>, lines: ReadonlySet<string>): Record<string, unknown> | null {
  const left = Object.entries(value).filter(([line]) => lines.has(line));
  return left.length === 0 ? null : Object.fromEntries(left);
}

/** A computed value in stored form. */
function plain(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plain);
  return 'toNumber' in value && typeof value.toNumber === 'function' ? value.toNumber() : null;
}

/** A question with its attached ones. */
export interface QuestionGroup {
  lead: Asked;
  beside: Asked[];
}

/** Questions as shown on a page: each with its attached ones. */
export function togetherOf(asked: readonly Asked[]): QuestionGroup[] {
  const found: QuestionGroup[] = [];
  for (const one of asked) {
    const last = found.at(-1);
    if (one.question.beside !== undefined && last) last.beside.push(one);
    else found.push({ lead: one, beside: [] });
  }
  return found;
}
