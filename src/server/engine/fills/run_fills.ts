import { columnsOf, filledNames, ownFields, rowsFields, touchedBy } from '../../../descriptor/fills.ts';
import type { Touched } from '../../../descriptor/fills.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { recompute } from '../../../descriptor/validate.ts';
import type { FieldFill } from '../../../descriptor/words/fills.ts';
import type { Session } from '../../access/context.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { labelExpression } from '../../db/columns.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { NamedFunctions } from '../modules.ts';
import { withKnownChoices } from '../records/known_choices.ts';
import type { Unit } from '../records/unit.ts';
import { valueIn } from '../workflow/values.ts';

type Row = Record<string, unknown>;

export interface FillDeps {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
  functions: NamedFunctions;
  unit(): Unit;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';
const rowsIn = (record: Row, field: string): Row[] =>
  Array.isArray(record[field]) ? (record[field] as Row[]).filter((row) => row !== null && typeof row === 'object') : [];

/**
 * The record with the results of its fills, in the order of the descriptor, and the values computed from them. A fill
 * runs if a field that it depends on differs from the stored value, or if it is in `refill`.
 */
export async function filledRecord(
  deps: FillDeps,
  record: Row,
  stored: WireRecord | null,
  refill: readonly string[] = [],
): Promise<Row> {
  const { session, screen, functions } = deps;
  // Fills read the figures of the company.
  if (screen.fills && screen.scope === 'entity') companyOf(session);
  let now = record;
  for (const fill of screen.fills ?? []) {
    const touched = refill.includes(fill.run) ? 'all' : touchedBy(fill, now, stored);
    if (touched === null) continue;
    const one = functions.fills.get(fill.run);
    if (!one) throw new Error(`There is no fill "${fill.run}".`);
    const given = await one.run({
      unit: deps.unit(),
      services: functions.services!,
      args: {},
      type: screen.name,
      record: withKnownChoices(screen.fields, now) as WireRecord,
      before: stored,
      input: {},
    });
    now = recompute(screen, await withGiven(deps, fill, now, given, touched), stored ? { storedRows: stored } : {});
  }
  return now;
}

/** The record with the result of one fill: fields, and columns of the rows that are filled again. */
async function withGiven(deps: FillDeps, fill: FieldFill, record: Row, given: Row, touched: Touched): Promise<Row> {
  const { screen } = deps;
  const { run, on, sets, over } = fill;
  const known = new Set(sets.map((name) => name.split('.')[0]));
  const other = Object.keys(given).find((name) => !known.has(name));
  if (other !== undefined) throw new Error(`The fill "${run}" gives "${other}", which it does not set.`);
  const next: Row = { ...record };
  const isKept = async (value: unknown, row?: { fields: NonNullable<Screen['fields'][number]['rows']>; values: Row }) =>
    over !== undefined && !isEmpty(value) && (await valueIn({ ...deps, record, ...(row && { row }) }, over)) === true;
  for (const name of ownFields(sets))
    if (name in given && !(await isKept(record[name]))) next[name] = given[name] ?? null;
  for (const field of rowsFields(sets)) {
    const columns = columnsOf(sets, field);
    const fields = screen.fields.find(({ name }) => name === field)?.rows ?? [];
    const all = touched === 'all' || !rowsFields(on).includes(field);
    const values = (given[field] ?? []) as Row[];
    next[field] = await Promise.all(
      rowsIn(record, field).map(async (row, at) => {
        const from = values[at];
        if (!from || !(all || (touched as ReadonlySet<Row>).has(row))) return row;
        const filled: Row = { ...row };
        for (const column of columns)
          if (column in from && !(await isKept(row[column], { fields, values: row })))
            filled[column] = from[column] ?? null;
        return filled;
      }),
    );
  }
  return next;
}

/** The results of a screen's fills for a form: values, with the labels of references, rows in their order. */
export async function filledValues(deps: FillDeps, record: Row): Promise<Row> {
  const names = filledNames(deps.screen);
  const values = await labelled(deps, deps.screen.fields, ownFields(names), record);
  for (const field of rowsFields(names)) {
    const columns = deps.screen.fields.find(({ name }) => name === field)?.rows ?? [];
    values[field] = await Promise.all(
      rowsIn(record, field).map((row) => labelled(deps, columns, columnsOf(names, field), row)),
    );
  }
  return values;
}

/** The values with these names, with the labels of references. */
export async function labelled(
  { session, screens }: FillDeps,
  fields: Screen['fields'],
  names: readonly string[],
  values: Row,
): Promise<Row> {
  const found: Row = {};
  for (const name of names) {
    found[name] = values[name] ?? null;
    const field = fields.find((one) => one.name === name);
    const target = field?.type === 'ref' ? screens.get(field.ref!.type) : undefined;
    if (!target || typeof values[name] !== 'number') continue;
    const [row] = await session.tenant.db.query<{ label: string | null }>(
      preparedStatement(
        `select ${labelExpression(target, 't', { screens, schema: session.tenant.schema })} as label from ${tableName(session.tenant.schema, target.name)} t where t.id = $1`,
        [values[name]],
      ),
    );
    if (row) found[`${name}__label`] = row.label;
  }
  return found;
}
