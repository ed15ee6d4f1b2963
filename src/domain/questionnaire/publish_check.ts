import { patternFault } from '../linear_pattern.ts';
import type jsep from 'jsep';
import {
  ExpressionSyntaxError,
  compileExpression,
  parseExpression,
} from '../../descriptor/expression/compile_expression.ts';
import type { Question, Questionnaire, Section } from './question.ts';
import { ENDS, choicesOf, pointsOf, takesColumns, takesOptions, takesRows } from './question.ts';
import { textNames } from './shown_text.ts';

/** An error that prevents publication. */
export interface Finding {
  /** Indexes of the section and of the question in it; without a question it concerns the section. */
  section: number;
  question?: number;
  message: string;
}

const CODE = /^[a-z][a-z0-9_]{0,29}$/;
const CHOICE_CODE = /^[A-Za-z0-9][A-Za-z0-9_]{0,29}$/;

/** The names in scope at a position in the questionnaire. */
interface Known {
  /** Questions asked before. */
  before: ReadonlyMap<string, Question>;
  /** Codes of all questions. */
  all: ReadonlySet<string>;
}

/** All errors that prevent publication, in the order of the questions. */
export function findingsOf({ sections, anonymous }: Questionnaire): Finding[] {
  const found: Finding[] = [];
  if (!sections.some(({ questions }) => questions.length > 0))
    found.push({ section: 0, message: 'Add a question first.' });
  const all = new Set(sections.flatMap(({ questions }) => questions.map(({ code }) => code)));
  const places = new Map(sections.map(({ code }, at) => [code, at]));
  const before = new Map<string, Question>();
  const seen = new Set<string>();
  const named = new Set<string>();
  let number = 0;
  sections.forEach((section, at) => {
    const say = (message: string, question?: number) =>
      found.push({ section: at, ...(question !== undefined && { question }), message });
    const name = section.title || section.code;
    if (!CODE.test(section.code)) say(`Section "${name}" needs a code of lower-case letters, digits and _.`);
    else if (named.has(section.code) || ENDS.has(section.code)) say(`The code "${section.code}" is taken.`);
    named.add(section.code);
    if (section.questions.length === 0) say(`Section "${name}" has no questions.`);
    const known: Known = { before: new Map(before), all };
    const report = (message: string) => say(`Section "${name}": ${message}`);
    if (section.visibleIf !== undefined) expressionFaults(section.visibleIf, known).forEach(report);
    if (
      section.repeatOver !== undefined &&
      !section.repeatOver.startsWith('recipient.') &&
      !before.has(section.repeatOver)
    )
      report(`it is repeated over "${section.repeatOver}", which is not asked before it.`);
    if (isNever(section.visibleIf)) report('it is never shown.');
    if (anonymous && section.visibleIf !== undefined && asksWho(section.visibleIf))
      report('it depends on who answers, which is anonymous.');
    const own = new Map(before);
    section.questions.forEach((question, place) => {
      number++;
      const label = `Q${number} '${question.code}'`;
      const ask = (message: string) => say(`${label} ${message}`, place);
      if (!CODE.test(question.code)) ask('needs a code of lower-case letters, digits and _, beginning with a letter.');
      else if (seen.has(question.code)) ask('has a code that another question has.');
      else if (question.code === 'recipient' || question.code === 'repeat')
        ask('has a code that has a meaning of its own.');
      seen.add(question.code);
      // The order within a shuffled section differs between respondents.
      const asks: Known = section.shuffle ? known : { before: new Map(own), all };
      questionFaults(question, asks).forEach(ask);
      if (anonymous) namingFaults(question).forEach(ask);
      const jumping: Known = { before: new Map(own).set(question.code, question), all };
      for (const { when, to } of question.jumps) {
        expressionFaults(when, jumping).forEach(ask);
        const target = places.get(to);
        if (!ENDS.has(to) && target === undefined) ask(`jumps to "${to}", which is not a section.`);
        else if (target !== undefined && target <= at) ask(`jumps to "${to}", which does not come later.`);
      }
      own.set(question.code, question);
    });
    for (const [code, question] of own) before.set(code, question);
  });
  unreachable(sections).forEach((at) =>
    found.push({ section: at, message: `Section "${sections[at]!.title || sections[at]!.code}" is never reached.` }),
  );
  return found;
}

/** Unreachable sections. */
function unreachable(sections: readonly Section[]): number[] {
  const out: number[] = [];
  let until = 0;
  sections.forEach((section, at) => {
    if (at < until) {
      out.push(at);
      return;
    }
    if (section.visibleIf !== undefined || section.repeatOver !== undefined) return;
    for (const { visibleIf, jumps } of section.questions) {
      const always = visibleIf === undefined ? jumps.find(({ when }) => constant(when) === true) : undefined;
      if (!always) continue;
      const target = sections.findIndex(({ code }) => code === always.to);
      until = Math.max(until, ENDS.has(always.to) ? sections.length : target);
    }
  });
  return out;
}

/** The result of a constant expression; undefined = not constant. */
function constant(expression: string): unknown {
  try {
    const { names, evaluate } = compileExpression(expression);
    return names.length === 0 && !/\b(today|now)\b/.test(expression) ? evaluate({}) : undefined;
  } catch {
    return undefined;
  }
}

function isNever(expression: string | undefined): boolean {
  if (expression === undefined) return false;
  const value = constant(expression);
  return value !== undefined && value !== true;
}

const asksWho = (text: string): boolean => /\brecipient\.|\{\{\s*r:/.test(text);

/** Questions that would identify the respondent. */
function namingFaults({ type, text, help, visibleIf, requiredIf, formula, rows, jumps }: Question): string[] {
  if (type === 'file' || type === 'signature' || type === 'hidden')
    return ['tells who answers, and this questionnaire is anonymous.'];
  const texts = [
    text,
    help,
    visibleIf,
    requiredIf,
    formula,
    ...rows.map((row) => row.visibleIf),
    ...jumps.map(({ when }) => when),
  ];
  return texts.some((one) => one !== undefined && asksWho(one)) ? ['depends on who answers, which is anonymous.'] : [];
}

function questionFaults(question: Question, known: Known): string[] {
  const { type, text, options, rows, columns, required, visibleIf, requiredIf, formula, pattern, jumps: _ } = question;
  const faults: string[] = [];
  if (text === '' && type !== 'hidden') faults.push('has no text.');
  if (takesOptions(type) && options.length < (type === 'ranking' ? 2 : 1)) faults.push('has nothing to choose from.');
  if (takesRows(type) && rows.length === 0) faults.push('has no lines.');
  if (takesColumns(type) && columns.length === 0) faults.push('has no columns.');
  if (type === 'constant_sum' && !((question.total ?? 0) > 0)) faults.push('needs the total to distribute.');
  if (type === 'calculated' && formula === undefined) faults.push('needs a formula.');
  if (type === 'slider' && !(plainLimit(question.min, 0) < plainLimit(question.max, 100)))
    faults.push('needs a highest value above its lowest.');
  const points = pointsOf(question);
  if (points && !(points[0] < points[1] && points[1] - points[0] <= 20))
    faults.push('has no scale between its lowest and its highest value.');
  for (const list of [options, rows, columns] as { code: string }[][])
    codeFaults(list).forEach((one) => faults.push(one));
  if (required && isNever(visibleIf)) faults.push('is required, and never shown.');
  else if (isNever(visibleIf)) faults.push('is never shown.');
  const wrong = pattern === undefined ? null : patternFault(pattern);
  if (wrong !== null) faults.push(`has the pattern "${pattern}". ${wrong}`);
  const conditions = [visibleIf, requiredIf, formula, ...rows.map((row) => row.visibleIf)];
  for (const limit of type === 'date' || type === 'time' || type === 'number' ? [question.min, question.max] : [])
    if (limit !== undefined && !/^(-?\d+(\.\d+)?|\d{4}-\d\d-\d\d|\d\d:\d\d)$/.test(limit)) conditions.push(limit);
  for (const condition of conditions)
    if (condition !== undefined) expressionFaults(condition, known).forEach((one) => faults.push(one));
  for (const name of [text, question.help ?? ''].flatMap(textNames))
    if (!known.before.has(name)) faults.push(`shows the answer of '${name}', ${whyNot(name, known)}.`);
  return faults;
}

const plainLimit = (written: string | undefined, otherwise: number): number =>
  written === undefined ? otherwise : Number(written);

function codeFaults(list: readonly { code: string }[]): string[] {
  const codes = new Set<string>();
  for (const { code } of list) {
    if (!CHOICE_CODE.test(code)) return [`has "${code}" as a code: letters, digits and _ only.`];
    if (codes.has(code)) return [`has the code "${code}" twice.`];
    codes.add(code);
  }
  return [];
}

const whyNot = (name: string, { all }: Known): string =>
  all.has(name) ? 'which comes later' : 'which is not a question';

/** The errors of an expression at its position: syntax, later questions, unknown options. */
function expressionFaults(expression: string, known: Known): string[] {
  let names: string[];
  let tree: jsep.Expression;
  try {
    ({ names } = compileExpression(expression));
    tree = parseExpression(expression);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return [`has an expression that cannot be read: ${error.message}`];
    throw error;
  }
  const faults = names.flatMap((name) => {
    const [head = '', line] = name.split('.');
    if (head === 'recipient' || head === 'repeat') return [];
    const question = known.before.get(head);
    if (!question) return [`asks for '${head}', ${whyNot(head, known)}.`];
    const isLine = line === undefined || [...question.rows, ...question.options].some(({ code }) => code === line);
    return isLine ? [] : [`asks for '${name}', which is not a line of '${head}'.`];
  });
  for (const [code, choice] of comparisons(tree)) {
    const [head = '', line] = code.split('.');
    const question = known.before.get(head);
    const offered = question && (line === undefined ? choicesOf(question) : question.columns);
    if (offered && offered.length > 0 && !offered.some((one) => one.code === choice))
      faults.push(`compares '${code}' with '${choice}', which is not one of its choices.`);
  }
  return [...new Set(faults)];
}

/** Codes with the literals that they are compared with. */
function comparisons(tree: jsep.Expression): [string, string][] {
  const found: [string, string][] = [];
  const name = (node: jsep.Expression): string | null => {
    if (node.type === 'Identifier') return (node as jsep.Identifier).name;
    const { object, property } = node as jsep.MemberExpression;
    return node.type === 'MemberExpression' && object.type === 'Identifier' && property.type === 'Identifier'
      ? `${(object as jsep.Identifier).name}.${(property as jsep.Identifier).name}`
      : null;
  };
  const texts = (node: jsep.Expression): string[] => {
    if (node.type === 'ArrayExpression')
      return (node as jsep.ArrayExpression).elements.flatMap((one) => (one ? texts(one) : []));
    const { value } = node as jsep.Literal;
    return node.type === 'Literal' && typeof value === 'string' ? [value] : [];
  };
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(walk);
    if (part === null || typeof part !== 'object') return;
    const node = part as jsep.BinaryExpression;
    if (node.type === 'BinaryExpression' && ['==', '!=', '===', '!==', 'in'].includes(node.operator))
      for (const [one, other] of [
        [node.left, node.right],
        [node.right, node.left],
      ] as const) {
        const code = name(one);
        if (code !== null) for (const text of texts(other)) found.push([code, text]);
      }
    Object.values(part).forEach(walk);
  };
  walk(tree);
  return found;
}
