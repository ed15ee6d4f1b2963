import { ExpressionSyntaxError, compileExpression } from '../../descriptor/expression/compile_expression.ts';
import { ExpressionError, fromPlain } from '../../descriptor/expression/value.ts';
import type { Value } from '../../descriptor/expression/value.ts';
import { codeOf, formOf } from './answer_form.ts';
import type { Answers, Jump, Line, Question, Questionnaire, Section } from './question.ts';
import { choicesOf, isAnsweredByPerson } from './question.ts';
import { shuffled } from './shuffle.ts';

/** Who answers, as far as the questionnaire asks. */
export interface Respondent {
  /** What keeps a shuffled order the same when one comes back. */
  seed: string;
  /** Facts about them, for conditions and texts: `recipient.city`; hidden questions take them by their own code. */
  attributes?: Readonly<Record<string, unknown>>;
}

/** A question that is asked as the answers stand. */
export interface Asked {
  /** Under which the answer is kept. */
  key: string;
  question: Question;
  required: boolean;
  /** The lines of a matrix that are shown. */
  rows: Line[];
  value: unknown;
  na: boolean;
  /** The lowest and the highest value, where they are limits. */
  min: Value;
  max: Value;
}

/** A section that is shown as the answers stand. */
export interface ShownSection {
  section: Section;
  /** Of a repeated section: which one, and in people's words. */
  repeat: { code: string; label: string } | null;
  asked: Asked[];
}

/** The way through a questionnaire as the answers stand. */
export interface Course {
  sections: ShownSection[];
  /** All questions that are asked, in their order. */
  asked: Asked[];
  /** How it ends; `screen_out`: whoever answers is not among those who are asked. */
  end: 'end' | 'screen_out';
  /** What conditions and texts see. */
  scope: Readonly<Record<string, Value>>;
}

/** More than so often no section is repeated. */
const MAX_REPEATS = 120;

const EMPTY: Value = null;

/** Begins the names of facts about whoever answers. */
const FACT = 'recipient.';

/** What an expression gives; null where it cannot be computed of these values. */
function valueOf(expression: string, scope: Readonly<Record<string, Value>>): Value {
  try {
    return compileExpression(expression).evaluate(scope);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ExpressionSyntaxError) return EMPTY;
    throw error;
  }
}

/** Whether a condition holds; a comparison with nothing does not. */
const holds = (expression: string | undefined, scope: Readonly<Record<string, Value>>): boolean =>
  expression === undefined || valueOf(expression, scope) === true;

/** A limit: a value as it is written, or what an expression gives. */
function limitOf(written: string | undefined, scope: Readonly<Record<string, Value>>): Value {
  if (written === undefined || written === '') return EMPTY;
  if (/^-?\d+(\.\d+)?$/.test(written)) return fromPlain(Number(written));
  if (/^(\d{4}-\d\d-\d\d|\d\d:\d\d)$/.test(written)) return written;
  return valueOf(written, scope);
}

/** What an answer is to conditions: codes without texts of one's own; of a matrix each line by its code. */
function seenAs({ type }: Question, value: unknown): { whole: Value; lines: Record<string, Value> } {
  if (value === null || value === undefined) return { whole: EMPTY, lines: {} };
  if (Array.isArray(value)) return { whole: fromPlain(value.map((one) => codeOf(one) ?? one)), lines: {} };
  if (typeof value !== 'object') return { whole: fromPlain(value), lines: {} };
  const code = codeOf(value);
  if (code !== null) return { whole: code, lines: {} };
  const lines = Object.fromEntries(Object.entries(value).map(([line, one]) => [line, fromPlain(one)]));
  return { whole: type === 'geo' ? true : Object.values(lines), lines };
}

/** A number of repetitions, by their numbers. */
const numbered = (times: number): { code: string; label: string }[] =>
  Array.from({ length: Math.min(Math.max(Math.floor(times), 0), MAX_REPEATS) }, (_, at) => ({
    code: String(at + 1),
    label: String(at + 1),
  }));

/** The sections that a repeated one becomes, by the answer or the fact that it is repeated over. */
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

/** Where a jump leads that is taken when a section is left; null = to the next one. */
function jumpOf(asked: readonly Asked[], scope: Readonly<Record<string, Value>>): Jump | null {
  for (const { question } of asked) for (const jump of question.jumps) if (holds(jump.when, scope)) return jump;
  return null;
}

/**
 * Goes through a questionnaire as the answers stand, in one pass: conditions see what is asked before them and nothing
 * that is hidden, so an answer to a hidden question counts for nothing. Texts of answers are put into their form; what
 * cannot be an answer counts as none.
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
      // Within a repetition a code means the answer of this one.
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

/** The questions of a section that are asked; adds what they answer to what conditions see. */
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

/** Whether what is handed in is kept as an answer. */
const isKept = ({ type }: Question): boolean => type !== 'statement' && type !== 'calculated';

function onlyLines(value: Record<string, unknown>, lines: ReadonlySet<string>): Record<string, unknown> | null {
  const left = Object.entries(value).filter(([line]) => lines.has(line));
  return left.length === 0 ? null : Object.fromEntries(left);
}

/** A computed value as it is kept. */
function plain(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plain);
  return 'toNumber' in value && typeof value.toNumber === 'function' ? value.toNumber() : null;
}

/** A question with those that are asked beside it. */
export interface AskedTogether {
  lead: Asked;
  beside: Asked[];
}

/** Questions as they stand on a page: each with those that go with it. */
export function togetherOf(asked: readonly Asked[]): AskedTogether[] {
  const found: AskedTogether[] = [];
  for (const one of asked) {
    const last = found.at(-1);
    if (one.question.beside !== undefined && last) last.beside.push(one);
    else found.push({ lead: one, beside: [] });
  }
  return found;
}
