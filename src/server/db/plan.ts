import type { Screen } from '../../descriptor/types.ts';
import type { Catalogue, StoredColumn, StoredTable } from './catalogue.ts';
import { normalised, storedType } from './catalogue.ts';
import { addConstraintSql, columnSql, createIndexSql, createTablesScript, inSchema } from './create_script.ts';
import { constraintName, quoted } from './names.ts';
import type { ColumnShape, ConstraintShape, IndexShape, TableShape } from './table_shapes.ts';
import { shapesOf } from './table_shapes.ts';

/** One step from what a schema holds to what the descriptors say. */
export interface Change {
  /** The record type. */
  type: string;
  /** `field`, `rows_field.column`, or empty for a whole table. */
  field: string;
  table: string;
  /** For people: "add column …". */
  what: string;
  sql: string[];
  /** Loses or refuses rows if `affected` finds any: then only done on purpose. */
  destructive?: {
    reason: string;
    /** Counts the affected rows, as column `n`; null = always on purpose, and this counts for the message. */
    count: string;
    /** Even without affected rows not by itself. */
    always?: boolean;
    /** What to do when doing it on purpose is no way. */
    command?: string;
    /** What is done instead so that writing goes on. */
    meanwhile: string[];
    /** Instead of `meanwhile`, when what is done depends on the values found. */
    relax?: { find: string; sql: (values: string[]) => string[] };
  };
  /** Runs after the transaction, without blocking writers: indexes of large tables. */
  concurrently?: true;
  /** Not done when that one was refused. */
  after?: Change;
  /** Instead of `sql` when done on purpose. */
  onPurpose?: string[];
  /** Fails without harm when the data does not fit (foreign keys to rows that are gone). */
  optional?: true;
}

/** Above this many bytes an index is built without blocking writers. */
const largeTable = 16 * 1024 * 1024;

/**
 * The changes that bring a schema to what the descriptors say, in order.
 * `types` narrows to some record types (default: all of the schema's scope).
 */
export function planSchema(
  screens: ReadonlyMap<string, Screen>,
  schema: string,
  current: Catalogue,
  types?: Iterable<string>,
): Change[] {
  const shapes = shapesOf(screens);
  const wanted =
    types ??
    [...screens.values()]
      .filter(({ scope }) => (scope === 'platform') === (schema === 'public'))
      .map(({ name }) => name);
  const changes: Change[] = [];
  const fresh: TableShape[] = [];
  const first: Change[] = [];
  const later: Change[] = [];
  for (const type of wanted) {
    const shape = shapes.get(type);
    if (!shape) continue;
    for (const table of shape.tables) {
      const stored = current.tables.get(table.name);
      if (stored) planTable(schema, table, stored, { first, changes, later });
      else fresh.push(table);
    }
    const names = new Set(shape.tables.map(({ name }) => name));
    for (const [name, stored] of current.tables)
      if (name.startsWith(`${type}__`) && !names.has(name)) changes.push(droppedRows(schema, type, stored));
  }
  // New tables first: keys of existing tables may name them.
  const created = fresh.map((table): Change => ({
    type: table.type,
    field: table.rows ?? '',
    table: table.name,
    what: `create table ${table.name}`,
    sql: [],
  }));
  if (created[0]) created[0].sql = [createTablesScript(schema, fresh)];
  return [...first, ...created, ...changes, ...later];
}

interface Parts {
  /** Keys that foreign keys of other tables rest on. */
  first: Change[];
  changes: Change[];
  /** Indexes and checks of rows that are there. */
  later: Change[];
}

function planTable(schema: string, table: TableShape, stored: StoredTable, { first, changes, later }: Parts): void {
  const at = `${quoted(schema)}.${quoted(table.name)}`;
  const path = (column: string): string => (table.rows === undefined ? column : `${table.rows}.${column}`);
  // Column types that may be refused: what rests on the new type must not be tried then.
  const retyped = new Map<string, Change>();
  const change = (column: string, what: string, sql: string[], more: Partial<Change> = {}): Change => {
    const after = retyped.get(column);
    return { type: table.type, field: path(column), table: table.name, what, sql, ...(after && { after }), ...more };
  };
  const added = new Set<string>();

  for (const column of table.columns) {
    const there = stored.columns.get(column.name);
    if (there) alterColumn(column, there);
    else addColumn(column);
  }
  for (const [name, column] of stored.columns) if (!table.columns.some((one) => one.name === name)) dropColumn(column);

  // What is no longer wanted goes before what is new, because both may have one name.
  const keep = new Set([
    ...table.constraints.map(({ name }) => name),
    ...table.columns.map(({ name }) => requiredCheck(table.name, name)),
  ]);
  for (const [name, constraint] of stored.constraints)
    if (!keep.has(name) && constraint.kind !== 'primary')
      changes.push(
        change(constraint.columns[0] ?? '', `drop constraint ${name}`, [
          `alter table ${at} drop constraint ${quoted(name)}`,
        ]),
      );
  for (const [name, index] of stored.indexes) {
    const want = table.indexes.find((one) => one.name === name);
    if (name.endsWith('_search')) continue; // made on demand (search_index.ts)
    if (!want && isCompanyKey(name)) continue; // keys of other tables may still rest on it
    if (
      !want ||
      !index.valid ||
      want.unique !== index.unique ||
      normalised(want.definition) !== normalised(index.definition)
    ) {
      changes.push(change('', `drop index ${name}`, [`drop index ${quoted(schema)}.${quoted(name)}`]));
      stored.indexes.delete(name);
    }
  }
  for (const constraint of table.constraints) {
    const there = stored.constraints.get(constraint.name);
    const same = there && normalised(there.definition) === normalised(inSchema(constraint.definition, schema));
    if (constraint.kind === 'primary' || (same && there.validated)) continue;
    if (same && constraint.kind === 'foreign') {
      later.push(validate(constraint));
      continue;
    }
    replaceConstraint(constraint, there !== undefined);
  }
  for (const index of table.indexes) if (!stored.indexes.has(index.name)) addIndex(index);

  function addColumn(column: ColumnShape): void {
    added.add(column.name);
    const nullable = { ...column, notNull: column.notNull && column.default !== undefined };
    const sql = [`alter table ${at} add column ${columnSql(nullable)}`];
    if (column.notNull && column.default === undefined) sql.push(...requireFromNow(column.name));
    changes.push(
      change(
        column.name,
        `add column ${table.name}.${column.name} ${column.type}${column.notNull ? ' (required)' : ''}`,
        sql,
      ),
    );
  }

  /** Rows that are there keep their gap, later ones must have a value. */
  function requireFromNow(column: string): string[] {
    const name = quoted(requiredCheck(table.name, column));
    const present = `${quoted(column)} is not null`;
    if (!table.columns.some((one) => one.name === 'id')) return [];
    return [
      `do $do$ declare last bigint; begin
         select coalesce(max(id), 0) into last from ${at};
         if last = 0 then execute 'alter table ${at} alter column ${quoted(column)} set not null';
         else execute 'alter table ${at} add constraint ${name} check (${present} or id <= ' || last || ') not valid'; end if; end $do$`,
    ];
  }

  function alterColumn(column: ColumnShape, there: StoredColumn): void {
    const name = quoted(column.name);
    const check = requiredCheck(table.name, column.name);
    const target = storedType(column.type);
    if (target !== there.type) {
      const using = conversion(there.type, target, name);
      // A constant of the old type could not follow the column.
      const sql = [
        ...(there.hasDefault ? [`alter table ${at} alter column ${name} drop default`] : []),
        ...dependents(column.name),
        `alter table ${at} alter column ${name} type ${column.type} using ${using}`,
        ...(column.default !== undefined
          ? [`alter table ${at} alter column ${name} set default ${column.default}`]
          : []),
      ];
      const what = `change ${table.name}.${column.name} from ${there.type} to ${target}`;
      if (widens(there.type, target)) changes.push(change(column.name, what, sql));
      else
        changes.push(
          change(column.name, what, sql, {
            destructive: {
              reason: `${target} cannot hold every value of ${there.type}`,
              count: `select count(*) as n from ${at} where ${losing(there.type, target, name)}`,
              meanwhile: there.notNull ? [`alter table ${at} alter column ${name} drop not null`] : [],
            },
          }),
        );
      const last = changes.at(-1);
      if (last?.destructive) retyped.set(column.name, last);
    }
    if (column.identity) return;
    if (column.notNull && !there.notNull) {
      const fill =
        column.default !== undefined ? [`update ${at} set ${name} = ${column.default} where ${name} is null`] : [];
      const strict = [
        `alter table ${at} alter column ${name} set not null`,
        `alter table ${at} drop constraint if exists ${quoted(check)}`,
      ];
      if (stored.constraints.has(check) && fill.length === 0) return; // new rows must have it already
      changes.push(
        change(column.name, `require ${table.name}.${column.name}`, strict, {
          destructive: {
            reason: 'rows without a value are there',
            count: `select count(*) as n from ${at} where ${name} is null`,
            meanwhile: [],
          },
        }),
      );
      const last = changes.at(-1);
      // On purpose: gaps are filled with the default, or stay and only later rows must have a value.
      if (last) last.onPurpose = fill.length > 0 ? [...fill, ...strict] : requireFromNow(column.name);
    } else if (!column.notNull) {
      if (there.notNull)
        changes.push(
          change(column.name, `make ${table.name}.${column.name} optional`, [
            `alter table ${at} alter column ${name} drop not null`,
          ]),
        );
      if (stored.constraints.has(check))
        changes.push(
          change(column.name, `make ${table.name}.${column.name} optional`, [
            `alter table ${at} drop constraint ${quoted(check)}`,
          ]),
        );
    }
  }

  /** Checks and indexes over a column whose type changes: they are made again by the rest of the plan. */
  function dependents(column: string): string[] {
    const sql: string[] = [];
    for (const [name, constraint] of stored.constraints)
      if (constraint.kind !== 'primary' && constraint.columns.includes(column)) {
        sql.push(`alter table ${at} drop constraint if exists ${quoted(name)}`);
        stored.constraints.delete(name);
      }
    for (const [name, index] of stored.indexes)
      if (normalised(index.definition).includes(column.toLowerCase()) && !isCompanyKey(name)) {
        sql.push(`drop index if exists ${quoted(schema)}.${quoted(name)}`);
        stored.indexes.delete(name);
      }
    return sql;
  }

  function dropColumn(column: StoredColumn): void {
    const name = quoted(column.name);
    changes.push(
      change(column.name, `drop column ${table.name}.${column.name}`, [`alter table ${at} drop column ${name}`], {
        destructive: {
          reason: 'the field is no longer in the descriptor, its values would be lost',
          count: `select count(*) as n from ${at} where ${name} is not null`,
          always: true,
          meanwhile: column.notNull ? [`alter table ${at} alter column ${name} drop not null`] : [],
        },
      }),
    );
  }

  function isCompanyKey(name: string): boolean {
    return name === constraintName(table.name, ['id', 'entity_id'], 'key');
  }

  function validate(constraint: ConstraintShape): Change {
    return change(
      constraint.columns[0] ?? '',
      `check ${constraint.name} against the rows that are there`,
      [`alter table ${at} validate constraint ${quoted(constraint.name)}`],
      { optional: true },
    );
  }

  function replaceConstraint(constraint: ConstraintShape, exists: boolean): void {
    const drop = exists ? [`alter table ${at} drop constraint if exists ${quoted(constraint.name)}`] : [];
    const column = constraint.columns[0] ?? '';
    const what = `${exists ? 'change' : 'add'} ${constraint.kind === 'foreign' ? 'reference' : constraint.kind} ${constraint.name}`;
    if (constraint.kind === 'foreign') {
      changes.push(change(column, what, [...drop, addConstraintSql(schema, table.name, constraint, true)]));
      later.push(validate(constraint));
    } else if (constraint.kind === 'check') {
      if (added.has(column)) {
        changes.push(change(column, what, [...drop, addConstraintSql(schema, table.name, constraint)]));
        return;
      }
      const condition = constraint.definition.slice('check ('.length, -1);
      const open = (values: string[]): string[] => {
        const more =
          values.length === 0
            ? ''
            : ` or ${quoted(column)}::text = any (array[${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')}])`;
        return [
          ...drop,
          `alter table ${at} add constraint ${quoted(constraint.name)} check (${condition}${more}) not valid`,
        ];
      };
      changes.push(
        change(column, what, [...drop, addConstraintSql(schema, table.name, constraint)], {
          destructive: {
            reason: `rows hold values that are no longer allowed (${condition})`,
            count: `select count(*) as n from ${at} where not (${condition})`,
            meanwhile: [],
            relax: {
              find: `select distinct ${quoted(column)}::text as value from ${at} where not (${condition}) limit 100`,
              sql: open,
            },
          },
        }),
      );
      const last = changes.at(-1);
      if (last) last.onPurpose = [...drop, addConstraintSql(schema, table.name, constraint, true)];
    } else {
      changes.push(
        change(column, what, [...drop, addConstraintSql(schema, table.name, constraint)], { optional: true }),
      );
    }
  }

  function addIndex(index: IndexShape): void {
    const key = isCompanyKey(index.name);
    const large = stored.bytes > largeTable && !key;
    const sql = [createIndexSql(schema, table.name, index, large)];
    const what = `add ${index.unique ? 'unique key' : 'index'} ${index.name}`;
    const entry = change(index.columns[0] ?? '', what, sql, large ? { concurrently: true } : {});
    if (index.unique && !key)
      entry.destructive = {
        reason: 'rows with the same values are there',
        command: 'Correct these rows, then: npm run schema:plan -- --apply',
        count: `select coalesce(sum(n - 1), 0)::bigint as n from (select count(*) as n from ${at} where ${index.emptyEqual ? 'true' : index.columns.map((name) => `${quoted(name)} is not null`).join(' and ')} group by ${index.keys.join(', ')} having count(*) > 1) d`,
        meanwhile: [],
      };
    (key ? first : later).push(entry);
  }
}

function requiredCheck(table: string, column: string): string {
  return `${table}_${column}_required_check`.slice(-63);
}

function droppedRows(schema: string, type: string, stored: StoredTable): Change {
  const at = `${quoted(schema)}.${quoted(stored.name)}`;
  return {
    type,
    field: stored.name.slice(type.length + 2),
    table: stored.name,
    what: `drop table ${stored.name}`,
    sql: [`drop table ${at}`],
    destructive: {
      reason: 'the child rows are no longer in the descriptor, they would be lost',
      count: `select count(*) as n from ${at}`,
      always: true,
      meanwhile: [],
    },
  };
}

const whole: Record<string, number> = { smallint: 5, integer: 10, bigint: 19 };

function numericSize(type: string): { digits: number; scale: number } | null {
  if (whole[type] !== undefined) return { digits: whole[type], scale: 0 };
  if (type === 'numeric') return { digits: Infinity, scale: Infinity };
  const match = /^numeric\((\d+),(\d+)\)$/.exec(type);
  return match ? { digits: Number(match[1]) - Number(match[2]), scale: Number(match[2]) } : null;
}

/** True when every value of the one type is a value of the other. */
export function widens(from: string, to: string): boolean {
  if (to === 'text') return !from.endsWith('[]');
  const before = numericSize(from);
  const after = numericSize(to);
  if (before && after) {
    if (whole[to] !== undefined) return whole[from] !== undefined && before.digits <= after.digits;
    return before.digits <= after.digits && before.scale <= after.scale;
  }
  if (from === 'date' && to === 'timestamp with time zone') return true;
  return from === to.replace(/\[\]$/, '') && to.endsWith('[]');
}

function conversion(from: string, to: string, column: string): string {
  if (to === `${from}[]`) return `case when ${column} is null then null else array[${column}] end`;
  if (from === 'timestamp with time zone' && to === 'date') return `(${column} at time zone 'UTC')::date`;
  if (from === 'date' && to === 'timestamp with time zone') return `${column}::timestamp at time zone 'UTC'`;
  if (numericSize(from) && numericSize(to)) return `${column}::${to}`;
  if (from.endsWith('[]') && !to.endsWith('[]')) return `${column}[1]::text::${to}`;
  // A text that does not read as the new type becomes empty rather than stopping the change.
  const pattern = patterns[to.replace(/\(.*/, '')];
  return pattern && from === 'text'
    ? `case when ${column} ~ '${pattern}' then ${column}::${to} end`
    : `${column}::text::${to}`;
}

const patterns: Record<string, string> = {
  numeric: String.raw`^\s*-?\d{1,15}(\.\d+)?\s*$`,
  integer: String.raw`^\s*-?\d{1,9}\s*$`,
  bigint: String.raw`^\s*-?\d{1,18}\s*$`,
  boolean: '^(true|false|t|f|yes|no|1|0)$',
  date: String.raw`^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])$`,
};

/** Rows that would not keep their value exactly. */
function losing(from: string, to: string, column: string): string {
  const size = numericSize(to);
  if (numericSize(from) && size)
    return (
      [
        ...(Number.isFinite(size.scale) ? [`round(${column}::numeric, ${size.scale}) <> ${column}`] : []),
        ...(Number.isFinite(size.digits) ? [`abs(${column}::numeric) >= 1e${size.digits}`] : []),
      ].join(' or ') || 'false'
    );
  return `${column} is not null`;
}
