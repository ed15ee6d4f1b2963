import type { ScreenCheck } from './check_context.ts';
import { checkPerson } from './check_person.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { didYouMean } from './source.ts';
import { checkPrintText } from './check_prints.ts';
import type { Field, JsonSchema, Screen } from './types.ts';
import { isProductsOwn } from './workflow.ts';

type Path = (string | number)[];
type Args = Record<string, unknown>;

/** Sets fields of the record, of a record it refers to, or of those that its rows refer to. */
export interface SetArgs {
  of?: string;
  when?: string;
  values: Record<string, string>;
}
/** Takes other records through a transition; `back` is the transition that undoes it. */
export interface MoveArgs {
  of: string;
  do: string;
  input?: Record<string, string>;
  when?: string;
  back?: string;
}
/** Creates the next document at once. */
export interface MakeArgs {
  make: string;
}
/** Publishes an event to modules. */
export interface EmitArgs {
  event: string;
  payload?: Record<string, string>;
}
/** Writes to people. */
export interface NotifyArgs {
  event: string;
  to: string[];
  values?: Record<string, string>;
  attach?: string[];
}

/** Stores a document of the record. */
export interface PrintArgs {
  name: string;
  keep?: true;
}
/** Sends a mail to an address behind the record. */
export interface MailArgs {
  to: string;
  subject: string;
  text: string;
  attach?: string[];
  account?: string;
  when?: string;
}

/** Submits answers: checks that they are complete, removes hidden ones, and sets the score. */
export interface HandInArgs {
  answers: string;
  score?: string;
  screened_out?: string;
  when?: string;
}

interface SharedEffect {
  shape: JsonSchema;
  /** Whether this effect can be undone. */
  reverses(args: Args): boolean;
  check(check: ScreenCheck, args: Args, at: Path): void;
}

const text = { type: 'string', minLength: 1 };
const expressions = { type: 'object', minProperties: 1, additionalProperties: text };

/** The maximum number of references in a path. */
const MAX_REFERENCES = 3;

/** The names with which expressions of `set` and `move` refer to the record at the end of the path. */
const targetNames = (target: Screen) =>
  ['id', ...target.fields.map(({ name }) => name)].map((name) => `target.${name}`);

/** The type at the end of `of`: a reference of the record, of its rows, or behind those. Reports errors. */
export function pathTarget(check: ScreenCheck, of: string, at: Path): { target: Screen; row: Field[] } | null {
  const [first = '', ...rest] = of.split('.');
  let field: Field | undefined = check.field(first);
  let row: Field[] = [];
  if (field?.rows) {
    row = field.rows;
    const column = rest.shift() ?? '';
    field = row.find(({ name }) => name === column);
    if (!field) {
      check.unknown(
        at,
        column,
        row.map(({ name }) => name),
        `the rows of ${first}`,
      );
      return null;
    }
  } else if (!field) {
    check.unknown(at, first, check.names, `"${String(at.at(-1))}"`);
    return null;
  }
  if (rest.length >= MAX_REFERENCES) {
    check.report(at, `"${of}" follows more than ${MAX_REFERENCES} references.`, 'Name a nearer record.');
    return null;
  }
  return behind(check, check.screen, field, rest, row, at);
}

/** The record at the end of a path of references from a field. */
function behind(
  check: ScreenCheck,
  owner: Screen,
  field: Field,
  [next, ...rest]: string[],
  row: Field[],
  at: Path,
): { target: Screen; row: Field[] } | null {
  const target = field.ref && check.all.drafts.get(field.ref.type)?.screen;
  if (!target) {
    check.report(
      at,
      `"${field.name}" of ${owner.name} refers to no record.`,
      'Name a reference, or a path of references.',
    );
    return null;
  }
  if (next === undefined) return { target, row };
  const found = target.fields.find(({ name }) => name === next);
  if (found) return behind(check, target, found, rest, row, at);
  check.unknown(
    at,
    next,
    target.fields.map(({ name }) => name),
    target.title,
  );
  return null;
}

function checkSet(check: ScreenCheck, written: Args, at: Path): void {
  const { of, when, values } = written as unknown as SetArgs;
  const found = of === undefined ? { target: check.screen, row: [] } : pathTarget(check, of, [...at, 'of']);
  if (!found) return;
  const { target, row } = found;
  const names = [...row.map(({ name }) => name), ...targetNames(target), 'reason'];
  if (when !== undefined) check.serverExpression(when, [...at, 'when'], 'condition', names, row);
  for (const [name, expression] of Object.entries(values)) {
    const field = target.fields.find((one) => one.name === name);
    const place = [...at, 'values', name];
    if (!field)
      check.unknown(
        place,
        name,
        target.fields.map((one) => one.name),
        target.title,
      );
    else if (name === target.workflow?.field)
      check.report(place, 'The state of a record changes by its transitions.', 'Use "move".');
    else if (field.formula !== undefined || field.rows || name === (target.number ?? target.numberAt)?.field)
      check.report(place, `"${name}" is not set by anybody.`, 'Choose another field.');
    else check.serverExpression(expression, place, field, names, row);
  }
}

function checkMove(check: ScreenCheck, written: Args, at: Path): void {
  const { of, do: name, when, back, input = {} } = written as unknown as MoveArgs;
  const found = pathTarget(check, of, [...at, 'of']);
  if (!found) return;
  const { target, row } = found;
  const transitions = target.workflow?.transitions ?? [];
  const names = [...row.map((one) => one.name), ...targetNames(target), 'reason'];
  for (const [word, one] of [
    ['do', name],
    ['back', back],
  ] as const) {
    if (one === undefined) continue;
    const transition = transitions.find((other) => other.name === one);
    if (!transition)
      check.report(
        [...at, word],
        `${target.title} has no transition "${one}".`,
        didYouMean(
          one,
          transitions.map((other) => other.name),
        ),
      );
    else if (
      isProductsOwn(transition) ||
      [target.approval?.approved, target.approval?.returned, target.approval?.rejected].includes(one)
    )
      check.report(
        [...at, word],
        `"${one}" of ${target.title} is taken by the product, or by those who approve.`,
        'Name another transition.',
      );
    else if (word === 'do')
      for (const asked of Object.keys(input))
        if (
          !transition.ask.some(({ field }) => field === asked) &&
          !(asked === 'reason' && transition.reason !== undefined)
        )
          check.report([...at, 'input', asked], `"${one}" does not ask for "${asked}".`, 'Leave it out.');
  }
  for (const [asked, expression] of Object.entries(input))
    check.serverExpression(expression, [...at, 'input', asked], 'any', names, row);
  if (when !== undefined) check.serverExpression(when, [...at, 'when'], 'condition', names, row);
}

function checkMake(check: ScreenCheck, written: Args, at: Path): void {
  const { make: name } = written as unknown as MakeArgs;
  const make = check.screen.makes?.find((one) => one.name === name);
  const known = (check.screen.makes ?? []).map((one) => one.name);
  if (!make) {
    check.report(at, `"makes" has no "${name}".`, didYouMean(name, known));
    return;
  }
  const target = check.all.drafts.get(make.to)?.screen;
  const filled = new Set([...Object.keys(make.set), ...Object.keys(make.rows)]);
  const lacking = (target?.fields ?? []).filter(
    (field) =>
      field.required &&
      !filled.has(field.name) &&
      field.default === undefined &&
      field.formula === undefined &&
      field.fetch === undefined &&
      field.name !== target?.number?.field,
  );
  for (const { name: field } of lacking)
    check.report(
      at,
      `"${field}" of ${target!.title} is needed, and "${name}" does not fill it.`,
      `Add it to "set" of "${name}".`,
    );
}

function checkEmit(check: ScreenCheck, written: Args, at: Path): void {
  const { event, payload = {} } = written as unknown as EmitArgs;
  const events = check.all.functions('events');
  if (events && !events.has(event))
    check.report([...at, 'event'], `No module declares the event "${event}".`, didYouMean(event, events));
  for (const [name, expression] of Object.entries(payload))
    check.serverExpression(expression, [...at, 'payload', name], 'any', ['reason']);
}

function checkNotify(check: ScreenCheck, written: Args, at: Path): void {
  const { event, to, values = {}, attach = [] } = written as unknown as NotifyArgs;
  const notices = check.all.functions('notices');
  if (notices && !notices.has(event))
    check.report([...at, 'event'], `People are not notified of "${event}".`, didYouMean(event, notices));
  to.forEach((name, index) => checkPerson(check, name, [...at, 'to', index]));
  for (const [name, expression] of Object.entries(values))
    check.serverExpression(expression, [...at, 'values', name], 'any', ['reason']);
  attach.forEach((name, index) => checkPrintName(check, name, [...at, 'attach', index]));
}

function checkPrintName(check: ScreenCheck, name: string, at: Path): void {
  const names = (check.screen.prints ?? []).map((one) => one.name);
  if (!names.includes(name)) check.report(at, `"print" has no "${name}".`, didYouMean(name, names));
}

function checkMail(check: ScreenCheck, written: Args, at: Path): void {
  const { to, subject, text: words, attach = [], when } = written as unknown as MailArgs;
  check.serverExpression(to, [...at, 'to'], 'any');
  if (when !== undefined) check.serverExpression(when, [...at, 'when'], 'condition');
  checkPrintText(check, subject, [...at, 'subject']);
  const hasLink = check.screen.public && check.screen.public.of === null;
  checkPrintText(check, hasLink ? words.replaceAll('{public.link}', '') : words, [...at, 'text']);
  attach.forEach((name, index) => checkPrintName(check, name, [...at, 'attach', index]));
}

function checkHandIn(check: ScreenCheck, written: Args, at: Path): void {
  const { answers, score, screened_out: out, when } = written as unknown as HandInArgs;
  if (when !== undefined) check.serverExpression(when, [...at, 'when'], 'condition');
  const wanted: [string, string | undefined, (field: Field) => boolean, string][] = [
    ['answers', answers, ({ type }) => type === 'answers', 'answers'],
    ['score', score, (field) => fieldType(field.type).filter === 'number', 'a number'],
    ['screened_out', out, ({ type }) => type === 'boolean', 'yes or no'],
  ];
  for (const [word, name, fits, what] of wanted) {
    if (name === undefined) continue;
    const field = check.field(name);
    if (!field) check.unknown([...at, word], name, check.names, `"${word}"`);
    else if (!fits(field)) check.report([...at, word], `"${name}" does not hold ${what}.`, 'Name another field.');
  }
}

/** Effects that every type may use, without a module. */
export const sharedEffects: Readonly<Record<string, SharedEffect>> = {
  set: {
    shape: {
      description:
        'Sets fields of this record, or with "of" of the records it refers to (`customer_id`, `lines.bill_id`); `target.x` is their current value.',
      type: 'object',
      required: ['values'],
      additionalProperties: false,
      properties: { of: text, when: text, values: expressions },
    },
    reverses: () => true,
    check: checkSet,
  },
  move: {
    shape: {
      description:
        'Takes the records that "of" leads to through their transition "do"; "back" is the transition that takes it back.',
      type: 'object',
      required: ['of', 'do'],
      additionalProperties: false,
      properties: { of: text, do: text, input: expressions, when: text, back: text },
    },
    reverses: ({ back }) => back !== undefined,
    check: checkMove,
  },
  makes: {
    shape: { description: 'Makes what "makes" has under this name.', type: 'string', minLength: 1 },
    reverses: () => true,
    check: checkMake,
  },
  emit: {
    shape: {
      description: 'Says an event of a module, with values by expression.',
      type: 'object',
      required: ['event'],
      additionalProperties: false,
      properties: { event: text, payload: expressions },
    },
    reverses: () => true,
    check: checkEmit,
  },
  notify: {
    shape: {
      description:
        'Notifies people in a relation to the record; expressions give the values. "attach" are documents of "print" that are issued and go with the mail.',
      type: 'object',
      required: ['event', 'to'],
      additionalProperties: false,
      properties: {
        event: text,
        to: { type: 'array', items: text, minItems: 1, uniqueItems: true },
        values: expressions,
        attach: { type: 'array', items: text, minItems: 1, uniqueItems: true },
      },
    },
    reverses: () => true,
    check: checkNotify,
  },
  print: {
    shape: {
      description: 'Issues a document of "print": its current content and its file are stored.',
      type: 'object',
      required: ['name', 'keep'],
      additionalProperties: false,
      properties: { name: text, keep: { const: true } },
    },
    reverses: () => true,
    check: (check, args, at) => checkPrintName(check, (args as unknown as PrintArgs).name, [...at, 'name']),
  },
  mail: {
    shape: {
      description:
        'Writes to the address that "to" gives, with paths of the record in braces; "attach" are documents of "print" that go with it, "account" the mail account for that purpose.',
      type: 'object',
      required: ['to', 'subject', 'text'],
      additionalProperties: false,
      properties: {
        to: text,
        subject: text,
        text,
        attach: { type: 'array', items: text, minItems: 1, uniqueItems: true },
        account: { enum: ['billing', 'marketing'] },
        when: text,
      },
    },
    reverses: () => true,
    check: checkMail,
  },
  hand_in: {
    shape: {
      description:
        'Submits the answers to a questionnaire: refuses missing answers, discards answers to hidden questions, and sets the fields for the score and for people who were screened out.',
      type: 'object',
      required: ['answers'],
      additionalProperties: false,
      properties: { answers: text, score: text, screened_out: text, when: text },
    },
    reverses: () => true,
    check: checkHandIn,
  },
};

/** Whether a change of a field can be undone by its difference, as for an amount. */
export const addsUp = (field: Field): boolean => fieldType(field.type).can.sum && !field.encrypted;
