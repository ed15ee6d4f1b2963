import type { FieldCheck, ScreenCheck } from '../../check_context.ts';
import { ExpressionSyntaxError, compileExpression } from '../../expression/compile_expression.ts';
import { needsOf } from '../../expression/scope.ts';
import { fieldType } from '../../fieldtypes/registry.ts';
import { didYouMean } from '../../source.ts';
import type { Field } from '../../types.ts';
import type { SightCondition, SightOperand } from '../../visible.ts';
import { sightCondition, sightNames } from '../../visible.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** People see the field only in records for which this is true for them. */
    visible?: string;
  }
}

export const xVisible = defineWord<string>({
  name: 'x-visible',
  on: 'field',
  shape: {
    description: 'Condition on the record and its reader: if it is false, the field does not exist for that person.',
    type: 'string',
    minLength: 1,
    examples: ["status == 'published' or viewer.manager"],
  },
  compile: (written, { field }) => {
    if (written) field.visible = written;
  },
  check: (field, one) => {
    if (field.visible === undefined) return;
    checkCondition(field.visible, one);
    checkPlace(field, one);
    checkUses(field, one);
  },
  chapter: 'Locked and hidden fields',
  doc: [
    '**`x-visible`**: people see the field only if the condition is true for them and for the record. Otherwise reads,',
    'lists, filters, sorting, sums, search, history, exports, prints, reports and webhooks behave as if it did not exist,',
    'and a value sent for it is refused (403). `viewer.<relation>` is true if the reader is in that relation to the record',
    "(`relations`), for administrators too. `viewer.action('CODE')` is true if the reader has an action code, as",
    '`action:CODE` in `who`. Apart from these, the condition compares fields of the record with values (`==`, `!=`, `<`,',
    '`in`), uses `is_empty(field)`, and combines conditions with `and`, `or`, `not`: lists evaluate it for every row in',
    'SQL. On a column of rows it is a condition on the record. The history shows a change only if the reader could see the',
    'field when it was made, and can see it now. Templates and imports leave the field out. Steps, guards, effects and',
    'formulas on the server use the value; `schema:check` refuses what would reveal it to others (formulas of visible',
    'fields, labels, rules, copies).',
  ],
  example: [
    {
      part: {
        score: { $ref: 'types#percent', 'x-visible': "status == 'received' or viewer.requester" },
        cost: { $ref: 'types#money', 'x-visible': "viewer.action('STOCK_VALUE_VIEW')" },
      },
    },
  ],
});

/** The operands of visibility conditions: those for which PostgreSQL compares as the expression does. */
function kindOf(field: Field): 'text' | 'number' | 'date' | 'boolean' | null {
  const sql = fieldType(field.type).sql(field);
  if (field.rows || field.secret || field.custom) return null;
  if (sql === 'text' || sql === 'date' || sql === 'boolean') return sql;
  return /^(numeric|integer|bigint|smallint)/.test(sql) ? 'number' : null;
}

/** SQL must be able to evaluate the condition, on fields that everybody sees. */
function checkCondition(text: string, { check, at }: FieldCheck): void {
  const path = [...at, 'x-visible'];
  let condition: SightCondition;
  try {
    condition = sightCondition(text);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    check.report(path, `"${text}" cannot be read: ${error.message}`, "Write it as status == 'published'.");
    return;
  }
  const { fields, relations, actions } = sightNames(condition);
  for (const code of actions)
    if (!/^[A-Z][A-Z0-9_]*$/.test(code))
      check.report(path, `"${code}" is no action code.`, "Write it as viewer.action('RUN_REPORTS').");
  for (const name of relations) {
    const known = ['requester', ...Object.keys(check.screen.relations ?? {})];
    const relation = check.screen.relations?.[name];
    if (!known.includes(name))
      check.report(path, `There is no relation "${name}".`, didYouMean(name, known) ?? 'Write it in "relations".');
    else if (relation?.when !== undefined) checkWhen(relation.when, check, path);
  }
  const kinds = new Map<string, ReturnType<typeof kindOf>>();
  for (const name of fields) {
    const field = check.field(name);
    if (!field) check.unknown(path, name, check.names, 'the condition');
    else if (field.visible !== undefined)
      check.report(path, `"${name}" has a condition of its own.`, 'Name fields that everybody sees.');
    else if (kindOf(field) === null)
      check.report(path, `"${name}" is of type ${field.type}, which no condition of sight compares.`);
    else kinds.set(name, kindOf(field));
  }
  if (kinds.size === fields.size) checkKinds(condition, kinds, check, path);
}

/** The condition of a relation used in a visibility condition is evaluated in the same statement. */
function checkWhen(text: string, check: ScreenCheck, path: (string | number)[]): void {
  try {
    const { fields, relations } = sightNames(sightCondition(text));
    const wrong = [...fields].find((name) => {
      const field = check.field(name);
      return !field || field.visible !== undefined || kindOf(field) === null;
    });
    if (relations.size === 0 && wrong === undefined) return;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
  }
  check.report(path, `The relation has a condition ("${text}") that no statement can ask.`);
}

/** Values must be compared with values of the same kind. */
function checkKinds(
  condition: SightCondition,
  kinds: ReadonlyMap<string, string | null>,
  check: ScreenCheck,
  path: (string | number)[],
): void {
  const kind = (one: SightOperand): string | null => {
    if ('field' in one) return kinds.get(one.field) ?? null;
    if ('today' in one) return 'date';
    if (one.value === null) return null;
    return typeof one.value === 'string' ? 'text' : typeof one.value;
  };
  const fits = (a: SightOperand, b: SightOperand): boolean => {
    const [left, right] = [kind(a), kind(b)];
    if (left === null || right === null || left === right) return true;
    const written = 'value' in a ? a.value : 'value' in b ? b.value : null;
    const other = 'value' in a ? right : left;
    return other === 'date' && typeof written === 'string' && /^\d{4}-\d\d-\d\d$/.test(written);
  };
  const wrong = (): void =>
    check.report(path, 'The condition compares values of two kinds.', "Texts stand in quotes: status == 'open'.");
  const walk = (one: SightCondition): void => {
    if (one.is === 'all' || one.is === 'some') one.of.forEach(walk);
    else if (one.is === 'not') walk(one.of);
    else if (one.is === 'compare' && !fits(one.left, one.right)) wrong();
    else if (one.is === 'in' && !one.list.every((item) => fits(one.left, item))) wrong();
    else if (one.is === 'true' && kinds.get(one.field) !== 'boolean')
      check.report(path, `"${one.field}" does not say yes or no.`, 'Compare it with a value.');
    if (one.is === 'compare') checkOption(one.left, [one.right]);
    if (one.is === 'in') checkOption(one.left, one.list);
  };
  const checkOption = (left: SightOperand, list: readonly SightOperand[]): void => {
    const options = 'field' in left ? check.field(left.field)?.options : undefined;
    for (const one of list)
      if (options && 'value' in one && one.value !== null && !options.some(({ value }) => value === one.value))
        check.report(
          path,
          `"${String(one.value)}" is no value of the list.`,
          didYouMean(
            String(one.value),
            options.map(({ value }) => String(value)),
          ),
        );
  };
  walk(condition);
}

/** The places that use the field must tolerate its absence. */
function checkPlace(field: Field, { check, at, rows }: FieldCheck): void {
  const { screen } = check;
  const path = [...at, 'x-visible'];
  const name = rows === undefined ? field.name : `${rows}.${field.name}`;
  if (screen.kind === 'settings')
    check.report(path, 'Settings are seen by whoever opens them.', 'Leave "x-visible" out.');
  // People do not enter the values of a type that functions of modules write.
  if (field.required && field.default === undefined && !screen.written)
    check.report(path, `"${name}" is required of people who may not see it.`, 'Leave it out of "required".');
  if (field.secret) check.report(path, `"${name}" is a secret, which nobody reads anyway.`, 'Leave "x-visible" out.');
  if (rows !== undefined) {
    if (check.field(rows)?.visible !== undefined)
      check.report(path, `"${rows}" has a condition already.`, 'Write it in one of the two places.');
    return;
  }
  const needed: [string, boolean][] = [
    ['it names the record', screen.label.includes(name)],
    ['it is the number', (screen.number ?? screen.numberAt)?.field === name],
    ['it is the state', screen.workflow?.field === name],
    ['it is the place in the tree', screen.tree?.parent === name],
    ['it is part of a key', screen.unique.some((key) => key.includes(name))],
    ['the approval goes by it', screen.approval?.amount === name],
    [
      'a relation goes by it',
      Object.values(screen.relations ?? {}).some(({ path: steps }) => steps[0] === name) ||
        screen.personal?.owner === name,
    ],
  ];
  for (const [reason, isNeeded] of needed)
    if (isNeeded) check.report(path, `"${name}" must be visible: ${reason}.`, 'Leave "x-visible" out.');
}

/** Places that would reveal the value to others: values computed from it, and copies of it. */
function checkUses(field: Field, { check, at, rows }: FieldCheck): void {
  const { screen } = check;
  const path = [...at, 'x-visible'];
  const name = rows === undefined ? field.name : `${rows}.${field.name}`;
  const names = (text: string | undefined, ofRows?: string): boolean => {
    if (text === undefined) return false;
    try {
      const needs = needsOf([compileExpression(text)]);
      if (rows === undefined) return needs.has(field.name);
      return needs.get(rows)?.has(field.name) === true || (ofRows === rows && needs.has(field.name));
    } catch (error) {
      if (error instanceof ExpressionSyntaxError) return false;
      throw error;
    }
  };
  const hint = `Write the same "x-visible" there, or leave "${name}" out of it.`;
  const look = (one: Field, ofRows?: string): void => {
    const isSame = one === field || one.visible === field.visible;
    if (
      !isSame &&
      [one.formula, one.when, one.requiredWhen, one.readOnlyWhen, one.begins].some((t) => names(t, ofRows))
    )
      check.report(path, `"${one.name}" would show what is in "${name}": it is computed of it.`, hint);
    for (const column of one.part ? [] : (one.rows ?? [])) if (one.visible !== field.visible) look(column, one.name);
  };
  for (const one of screen.fields) look(one);
  for (const rule of screen.written ? [] : screen.rules)
    if (names(rule.assert, rule.rows))
      check.report(
        path,
        `A rule looks at "${name}": its message would say what is in it.`,
        'Ask it in a guard of a step instead.',
      );
  for (const make of screen.makes ?? []) {
    const target = check.all.drafts.get(make.to)?.screen;
    const copies = (set: Readonly<Record<string, string>>, fields: readonly Field[] | undefined, from?: string) =>
      Object.entries(set).find(
        ([to, text]) =>
          names(text, from) && fields !== undefined && fields.find((f) => f.name === to)?.visible === undefined,
      )?.[0];
    const copy =
      copies(make.set, target?.fields) ??
      Object.entries(make.rows).flatMap(([to, made]) => {
        const into = target?.fields.find((f) => f.name === to);
        return into?.visible === undefined ? (copies(made.set, into?.rows, made.from) ?? []) : [];
      })[0];
    if (copy !== undefined)
      check.report(path, `"makes" copies "${name}" into "${copy}" of ${make.to}, where everybody sees it.`, hint);
  }
}
