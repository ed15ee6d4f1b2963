import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Statement } from '../../db/database.ts';
import { childTable, quoted, tableName, treeTable } from '../../db/names.ts';
import { customValues, storedFields } from '../../db/columns.ts';
import { entryPart } from '../../db/search_entries.ts';
import { changeOf, maskSecrets } from './history.ts';
import type { Series } from './numbering.ts';
import { counterSql } from './numbering.ts';
import { insertedSelect } from './read.ts';
import { referenceConditions } from './references.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement, memoPerScreen } from '../../db/sql_text.ts';
import { freeConditions } from './uniqueness.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** What an insert is made of. */
export interface Insertion extends Pick<WriteContext, 'session' | 'screen' | 'screens' | 'what'> {
  /** As shown in the form and in the history. */
  record: Row;
  /** As its columns hold it. */
  kept: Row;
  /** The number series, if the type has one. */
  series: Series | null;
}

/** Positions of the parameters that every insert of a type binds, in this order. */
interface Places {
  own: string[];
  /** The same by field. */
  byField: ReadonlyMap<Field, string>;
  custom: string | null;
  user: string;
  company: string;
  type: string;
  what: string;
  change: string;
  parent: string | null;
  rows: Map<string, string>;
}

/** A value as a parameter: lists and objects for jsonb as text. */
export function bound(field: Field, value: unknown): unknown {
  return fieldType(field.type).sql(field) === 'jsonb' && value !== null && value !== undefined
    ? JSON.stringify(value)
    : (value ?? null);
}

/** `x(id bigint, "name" text, …)`: the column definitions for rows sent as JSON. */
export function recordset(fields: Field[]): string {
  return [
    'id bigint',
    '"position" integer',
    ...fields.map((field) => `${quoted(field.name)} ${fieldType(field.type).sql(field)}`),
  ].join(', ');
}

/**
 * The statement that adds a record: it checks references and keys, takes the number, and writes record, child rows,
 * tree and history. It returns the record, or, if there are child rows, its id: a statement cannot read the rows that
 * it writes. It returns nothing if there is an error.
 *
 * Its text is the same for all records of a type with the same kinds of choices, and is built once for them.
 */
export function insertStatement(insertion: Insertion): { statement: Statement; withRows: boolean } {
  const { session, screen, screens, record, series } = insertion;
  const values = new SqlParams();
  const filled = screen.fields.filter(
    (field) =>
      field.rows &&
      !field.part &&
      Array.isArray(insertion.kept[field.name]) &&
      (insertion.kept[field.name] as unknown[]).length > 0,
  );
  const places = bindAll(insertion, filled, values);
  const right =
    [
      ...referenceConditions(session, screen, screens, record, values, (field) => places.byField.get(field)),
      ...freeConditions(session, screen, record, values),
    ].join(' and ') || 'true';
  const number = series && numberParts(session, screen, series, values);
  const alike = memoPerScreen(
    screens,
    screen,
    `insert ${session.tenant.schema} ${filled.map(({ name }) => name).join()}`,
    () => new Map<string, Statement>(),
  );
  const key = number ? `${right} ${number.counter} ${number.text}` : right;
  let made = alike.get(key);
  if (!made) {
    if (alike.size >= MAX_TEXTS) alike.clear();
    alike.set(key, (made = preparedStatement(textOf(insertion, filled, places, right, number), [])));
  }
  return { statement: { ...made, values: values.list }, withRows: filled.length > 0 };
}

/** Choices that depend on other fields differ by the filled-in fields. */
const MAX_TEXTS = 100;

function bindAll({ session, screen, record, kept, what }: Insertion, filled: Field[], values: SqlParams): Places {
  const stored = storedFields(screen);
  const byField = new Map(
    stored.columns.flatMap((field) =>
      field.name === screen.number?.field ? [] : [[field, values.bind(bound(field, kept[field.name]))] as const],
    ),
  );
  let custom: string | null = null;
  if (stored.custom.length > 0) {
    const given = customValues(stored.custom, record);
    custom = values.bind(given && JSON.stringify(given));
  }
  return {
    own: [...byField.values()],
    byField,
    custom,
    user: values.bind(session.userId),
    company: values.bind(screen.scope === 'entity' ? companyOf(session) : null),
    type: values.bind(screen.name),
    what: values.bind(what),
    change: values.bind(JSON.stringify(maskSecrets(screen, changeOf(screen, null, record)))),
    parent: screen.tree?.closure ? values.bind(record[screen.tree.parent] ?? null) : null,
    rows: new Map(
      filled.map(({ name }) => [
        name,
        values.bind(JSON.stringify((kept[name] as Row[]).map((row, at) => ({ ...row, position: at })))),
      ]),
    ),
  };
}

interface NumberParts {
  /** The part that takes the next number of the series. */
  counter: string;
  /** The number as text. */
  text: string;
  /** For the history. */
  change: string;
}

function numberParts(session: Session, screen: Screen, series: Series, values: SqlParams): NumberParts {
  const { before, width, after } = series;
  const text = `(${values.bind(before)}::text || lpad(n.value::text, greatest(${width}, length(n.value::text)), '0') || ${values.bind(after)}::text)`;
  return {
    counter:
      series.value === undefined
        ? counterSql(session, screen, series, values, 1, ' from ok')
        : `select ${values.bind(series.value)}::bigint as value from ok`,
    text,
    change: `(select jsonb_build_object(${values.bind(screen.number!.field)}::text, jsonb_build_array(null, ${text})) from n)`,
  };
}

function textOf(
  { session, screen, screens }: Insertion,
  filled: Field[],
  places: Places,
  right: string,
  number: NumberParts | null,
): string {
  const { schema } = session.tenant;
  const stored = storedFields(screen).columns.filter((field) => field.name !== screen.number?.field);
  const columns = stored.map((field) => quoted(field.name));
  // All columns, including empty ones: one statement text for all records of a type.
  const items = stored.map((field, at) => `${places.own[at]}::${fieldType(field.type).sql(field)}`);
  if (places.custom !== null) {
    columns.push('custom');
    items.push(`${places.custom}::jsonb`);
  }
  columns.push('created_by', 'updated_by');
  items.push(`${places.user}::bigint`, `${places.user}::bigint`);
  if (screen.scope === 'entity') {
    columns.push('entity_id');
    items.push(`${places.company}::bigint`);
  }
  const parts = [`ok as (select 1 where ${right})`];
  if (number) {
    parts.push(`n as (${number.counter})`);
    columns.push(quoted(screen.number!.field));
    items.push(number.text);
  }
  parts.push(
    `r as (insert into ${tableName(schema, screen.name)} (${columns.join(', ')}) select ${items.join(', ')} from ok${number ? ', n' : ''} returning *)`,
  );
  for (const field of filled) {
    const names = field.rows!.map((column) => quoted(column.name));
    parts.push(
      `${quoted(`c_${field.name}`)} as (insert into ${childTable(schema, screen.name, field.name)} (parent_id, "position"${names.map((name) => `, ${name}`).join('')})
       select r.id, x."position"${names.map((name) => `, x.${name}`).join('')} from r, jsonb_to_recordset(${places.rows.get(field.name)}::jsonb) x(${recordset(field.rows!)}))`,
    );
  }
  if (places.parent !== null) {
    const tree = treeTable(schema, screen.name);
    parts.push(
      `tree as (insert into ${tree} (ancestor_id, descendant_id, depth) select a.ancestor_id, r.id, a.depth + 1 from r, ${tree} a where a.descendant_id = ${places.parent}::bigint union all select r.id, r.id, 0 from r)`,
    );
  }
  parts.push(
    `h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change)
     select ${places.type}, r.id, ${places.company}::bigint, r.version, 'I', ${places.user}::bigint, ${places.what}, ${places.change}::jsonb || ${number ? number.change : "'{}'::jsonb"} from r)`,
  );
  const entry = entryPart(schema, screen);
  if (entry) parts.push(entry.part);
  return `with ${parts.join(', ')} ${filled.length > 0 ? 'select r.id from r' : insertedSelect(screen, screens, schema, 'r', places.user)}`;
}
