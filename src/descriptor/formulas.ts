import { Decimal } from 'decimal.js';
import { compileExpression } from './expression/compile_expression.ts';
import type { Expression, ColumnTotal } from './expression/compile_expression.ts';
import { columnSum } from './expression/column_sum.ts';
import { fieldIndex, needsOf, scopeFor } from './expression/scope.ts';
import { ExpressionError, number } from './expression/value.ts';
import type { Value } from './expression/value.ts';
import { Exact } from './exact.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { atRecord } from './place.ts';
import type { Field, FieldError, Screen } from './types.ts';
import { rowSet } from './unchanged_rows.ts';

type Row = Record<string, unknown>;

interface Step {
  field: Field;
  expression: Expression;
  /** First segments of the names it uses. */
  uses: string[];
}

/** The formulas of a list of fields, in the order of their dependencies. Computed once. */
interface Plan {
  steps: Step[];
  needs: Map<string, Set<string>>;
  /** The same without columns that are only added up. */
  listed: Map<string, Set<string>>;
  /** Columns with a running total. */
  running: ColumnTotal[];
}

const plans = new WeakMap<Field[], Plan>();

function planOf(fields: Field[]): Plan {
  const known = plans.get(fields);
  if (known) return known;
  const waiting = new Map(
    fields.flatMap((field): [string, Step][] => {
      if (field.formula === undefined) return [];
      const expression = compileExpression(field.formula);
      // A running total includes its own row.
      const added = expression.running.map(({ column }) => column);
      return [[field.name, { field, expression, uses: [...needsOf([expression]).keys(), ...added] }]];
    }),
  );
  const steps: Step[] = [];
  const visit = (name: string) => {
    const step = waiting.get(name);
    if (!step) return;
    waiting.delete(name);
    step.uses.forEach(visit);
    steps.push(step);
  };
  for (const name of waiting.keys()) visit(name);
  const needs = needsOf(steps.map((step) => step.expression));
  const listed = needsOf(steps.map(({ expression }) => ({ names: expression.listed })));
  const running = steps.flatMap(({ expression }) => expression.running);
  for (const { column } of running) if (!needs.has(column)) needs.set(column, new Set());
  const plan = { steps, needs, listed, running };
  plans.set(fields, plan);
  return plan;
}

/** True if the screen has computed fields. */
export function hasFormulas(screen: Pick<Screen, 'fields'>): boolean {
  return (
    planOf(screen.fields).steps.length > 0 ||
    screen.fields.some(
      (field) => field.rowGroup || (field.rows && (planOf(field.rows).steps.length > 0 || hasInnerFormulas(field))),
    )
  );
}

/** Whether the rows of a part have computed fields. */
function hasInnerFormulas({ part, rows = [] }: Field): boolean {
  return part !== undefined && rows.some((column) => column.rows && hasFormulas({ fields: rows }));
}

interface From {
  before?: Readonly<Row>;
  storedRows?: Readonly<Row>;
  failures?: FieldError[];
}

/**
 * Computes the formulas of a record, rows first, with exact decimals. What cannot be computed (a missing value, a
 * division by zero) is null.
 *
 * `before` is an earlier result for the same record: formulas whose inputs have not changed are copied from it. Values
 * count as changed if they are not the identical value or object, so a changed row must be a new object in a new list.
 *
 * `storedRows` is the stored record: rows taken from it unchanged keep their computed values.
 *
 * `failures` receives why a formula could not be computed.
 */
export function recompute(screen: Screen, record: Row, from: From = {}): Row {
  return hasFormulas(screen) ? atRecord(record, () => computed(screen, record, from)) : record;
}

function computed(screen: Pick<Screen, 'fields'>, record: Row, { before, storedRows = before, failures }: From): Row {
  const result: Row = { ...record };
  const changed =
    storedRows &&
    new Set([...Object.keys(result), ...Object.keys(storedRows)].filter((name) => result[name] !== storedRows[name]));
  for (const field of screen.fields) {
    if (!field.rows || field.rowGroup || !Array.isArray(result[field.name])) continue;
    if (planOf(field.rows).steps.length === 0 && !hasInnerFormulas(field)) continue;
    const rows = field.part
      ? computeParts(field, result, storedRows, failures)
      : computeRows(screen, field, result, storedRows, changed, failures);
    if (rows !== result[field.name]) changed?.add(field.name);
    result[field.name] = rows;
  }
  for (const field of screen.fields) {
    if (!field.rowGroup) continue;
    result[field.name] = groupRows(screen, field, result, before, changed, failures);
    if (before && result[field.name] !== before[field.name]) changed?.add(field.name);
  }
  const plan = planOf(screen.fields);
  if (plan.steps.length > 0)
    fill(plan, result, scopeFor(plan.listed, { fields: screen.fields, record: result }), '', failures, {
      summed: screen.fields,
      ...(before && { before }),
      ...(changed && { changed }),
    });
  return result;
}

/** Parts are computed separately: from their own fields and rows. */
function computeParts(
  field: Field,
  record: Row,
  before: Readonly<Row> | undefined,
  failures: FieldError[] | undefined,
): unknown[] {
  const rows = record[field.name] as unknown[];
  const earlier = before?.[field.name];
  const known = Array.isArray(earlier) ? (earlier as (Row | null)[]) : [];
  const same = new Set<unknown>(known);
  const byId = new Map<unknown, Row>(known.flatMap((row) => (row?.id ? [[row.id, row] as const] : [])));
  const part = { fields: field.rows! };
  const made = rows.map((row: unknown, index): unknown => {
    if (row === null || typeof row !== 'object' || same.has(row)) return row;
    const found: FieldError[] = [];
    const storedRows = byId.get((row as Row).id);
    const one = computed(part, row as Row, { ...(storedRows && { storedRows }), ...(failures && { failures: found }) });
    failures?.push(...found.map((error) => ({ ...error, field: `${field.name}.${index}.${error.field}` })));
    return one;
  });
  return made.every((row, at) => row === rows[at]) ? rows : made;
}

function computeRows(
  screen: Pick<Screen, 'fields'>,
  field: Field,
  record: Row,
  before: Readonly<Row> | undefined,
  changed: Set<string> | undefined,
  failures: FieldError[] | undefined,
): unknown[] {
  const rows = record[field.name] as unknown[];
  const plan = planOf(field.rows!);
  const own = new Set(field.rows!.map((inner) => inner.name));
  const outer = new Map([...plan.needs].filter(([name]) => !own.has(name)));
  const outerScope = scopeFor(outer, { fields: screen.fields, record });
  const inner = new Map([...plan.needs].filter(([name]) => own.has(name)));
  const earlier =
    before && ![...outer.keys()].some((name) => changed!.has(name)) && Array.isArray(before[field.name])
      ? rowSet(before[field.name])
      : undefined;
  let same = true;
  const totals = new Map<string, Decimal>();
  const computed = rows.map((row, index) => {
    if (row === null || typeof row !== 'object' || earlier?.has(row)) return row;
    same = false;
    const copy = { ...(row as Row) };
    const scope = { ...outerScope, ...scopeFor(inner, { fields: field.rows!, record: copy }) };
    fill(plan, copy, scope, `${field.name}.${index}.`, failures, { totals });
    for (const { column, total } of plan.running) totals.set(total, totalWith(totals, total, scope[column]));
    return copy;
  });
  return same ? rows : computed;
}

/** The running total with one more value. */
const totalWith = (totals: ReadonlyMap<string, Decimal>, total: string, value: Value | undefined): Decimal =>
  (totals.get(total) ?? new Exact(0)).plus(number(value ?? null) ?? 0);

/** The computed rows of a field with `x-group`: one per value of the column, computed over its rows. */
function groupRows(
  screen: Pick<Screen, 'fields'>,
  field: Field,
  record: Row,
  before: Readonly<Row> | undefined,
  changed: Set<string> | undefined,
  failures: FieldError[] | undefined,
): unknown {
  const { of, by } = field.rowGroup!;
  const plan = planOf(field.rows!);
  const own = new Set(field.rows!.map(({ name }) => name));
  const outer = new Map([...plan.needs].filter(([name]) => !own.has(name)));
  if (before && ![of, field.name, ...outer.keys()].some((name) => changed!.has(name))) return before[field.name];
  const listOf = (value: unknown) => (Array.isArray(value) ? (value as (Row | null)[]) : []);
  const keyOf = (row: Row | null) => JSON.stringify(row?.[by] ?? null);
  const stored = new Map(listOf(record[field.name]).map((row) => [keyOf(row), row]));
  const groups = Map.groupBy(
    listOf(record[of]).filter((row) => keyOf(row) !== 'null' && keyOf(row) !== '""'),
    keyOf,
  );
  return [...groups].map(([key, rows], index) => {
    const [first] = rows;
    const id = stored.get(key)?.id;
    const label = `${by}__label`;
    const row: Row = {
      ...(id !== undefined && { id }),
      [by]: first![by],
      ...(label in first! && { [label]: first![label] }),
    };
    const layers = [
      { fields: field.rows!, record: row },
      { fields: screen.fields, record: { ...record, [of]: rows } },
    ];
    fill(plan, row, scopeFor(plan.needs, ...layers), `${field.name}.${index}.`, failures);
    return row;
  });
}

function fill(
  plan: Plan,
  record: Row,
  scope: Record<string, Value>,
  path: string,
  failures: FieldError[] | undefined,
  {
    before,
    changed,
    totals,
    summed,
  }: {
    before?: Readonly<Row>;
    changed?: Set<string>;
    totals?: ReadonlyMap<string, Decimal>;
    /** The fields of the record, if the scope has no values of columns that are only added up. */
    summed?: Field[];
  } = {},
): void {
  for (const { field, expression, uses } of plan.steps) {
    if (before && changed && uses.length > 0 && !uses.some((name) => changed.has(name)) && field.name in before) {
      record[field.name] = before[field.name];
      continue;
    }
    let value: Value = null;
    try {
      for (const { column, total } of totals ? expression.running : [])
        scope[total] = totalWith(totals!, total, scope[column]);
      for (const { rows, column, total } of summed ? expression.sums : []) {
        const columns = fieldIndex(summed!).get(rows)?.rows;
        scope[total] ??= columnSum(columns && fieldIndex(columns).get(column), record[rows], column);
      }
      value = expression.evaluate(scope);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      failures?.push({ field: path + field.name, message: `${field.title} cannot be computed: ${error.message}.` });
    }
    const written = rounded(field, value);
    record[field.name] = plain(field, written);
    scope[field.name] = written;
    if (before && record[field.name] !== before[field.name]) changed?.add(field.name);
  }
}

/** Whole numbers are JSON numbers on the wire. */
const isWhole = ({ type }: Field): boolean => fieldType(type).filter === 'number' && !fieldType(type).can.exact;
const PLACES: Record<string, number> = { money: 2, percent: 4, quantity: 3, decimal: 10 };

const placesOf = (field: Field) => (isWhole(field) ? 0 : (field.precision ?? PLACES[field.type]));

/** A result in its stored form, so that dependent formulas use the displayed value. */
function rounded(field: Field, value: Value): Value {
  if (value === '' || value === null) return null;
  if (!Decimal.isDecimal(value)) return value;
  const exact = value as Decimal;
  if (!exact.isFinite()) return null;
  const places = placesOf(field);
  return places === undefined || exact.decimalPlaces() <= places ? exact : exact.toDecimalPlaces(places);
}

/** The result of an expression in the form that the field stores. */
export function storedForm(field: Field, value: Value): unknown {
  return field.type === 'ref' && Decimal.isDecimal(value) ? value.toNumber() : plain(field, rounded(field, value));
}

/** A computed value in the notation of the field's type. */
function plain(field: Field, value: Value): unknown {
  if (!Decimal.isDecimal(value)) return value;
  const exact = value as Decimal;
  if (isWhole(field)) return exact.toNumber();
  return field.type === 'money' || field.precision !== undefined ? exact.toFixed(placesOf(field)!) : exact.toFixed();
}
