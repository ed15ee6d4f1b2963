import type { Field, Screen } from '../../descriptor/types.ts';
import type { Queryable } from './database.ts';
import type { Catalogue, StoredColumn, StoredTable } from './catalogue.ts';
import { normalised, storedType } from './catalogue.ts';
import { addConstraintSql, columnSql, createIndexSql, createTablesScript, inSchema } from './create_script.ts';
import { columnType } from './column_type.ts';
import type { Meaning, FieldMeaning } from './meaning.ts';
import { meaningOfField, shiftOf } from './meaning.ts';
import { countMisfits, EXAMPLES } from './misfits.ts';
import { bareTable, constraintName, literal, quoted, requiredCheck } from './names.ts';
import { fillingSql, plannedMove, wasComputed } from './moves.ts';
import { planRenames } from './renames.ts';
import type { Change } from './change.ts';
import type { ColumnShape, ConstraintShape, IndexShape, TableShape } from './table_shapes.ts';
import { shapesOf } from './table_shapes.ts';

/** Above this many bytes an index is built without blocking writers. */
const largeTable = 16 * 1024 * 1024;

/**
 * The changes from a schema's current tables to those of the descriptors, in order. `types` limits it to some record
 * types (default: all of the schema's scope).
 */
export function planSchema(
  screens: ReadonlyMap<string, Screen>,
  schema: string,
  current: Catalogue,
  types?: Iterable<string>,
): Change[] {
  const shapes = shapesOf(screens);
  const wanted = [
    ...(types ??
      [...screens.values()]
        .filter(({ scope }) => (scope === 'platform') === (schema === 'public'))
        .map(({ name }) => name)),
  ];
  const changes: Change[] = [];
  const fresh: TableShape[] = [];
  const first: Change[] = [];
  const later: Change[] = [];
  const renames: Change[] = [];
  for (const type of wanted) {
    const shape = shapes.get(type);
    const screen = screens.get(type);
    if (!shape || !screen) continue;
    const before = current.forms.get(type);
    if (before && before.scope !== screen.scope) first.push(movedScope(schema, screen, before.scope, current));
    // Its rows have moved: nothing is created or changed here.
    if ((screen.scope === 'platform') !== (schema === 'public')) continue;
    renames.push(...planRenames(schema, screen, screens, current, before));
    for (const table of shape.tables) {
      const stored = current.tables.get(table.name);
      if (stored)
        planTable(
          schema,
          table,
          stored,
          { first, changes, later },
          describing(schema, screen, table, before),
          (column) => fillingSql(schema, type, column),
        );
      else fresh.push(table);
    }
    const names = new Set(shape.tables.map(({ name }) => name));
    for (const [name, stored] of current.tables)
      if (name.startsWith(`${type}__`) && !names.has(name))
        changes.push(...(plannedMove(schema, screen, name, current, wanted) ?? [droppedRows(schema, type, stored)]));
  }
  // New tables first, because keys of existing tables may refer to them.
  const created = fresh.map((table): Change => ({
    type: table.type,
    field: table.rows ?? '',
    table: table.name,
    what: `create table ${table.name}`,
    sql: [],
  }));
  if (created[0]) created[0].sql = [createTablesScript(schema, fresh)];
  return [...renames, ...first, ...created, ...changes, ...later];
}

/** The label of a table, and the accepted meaning of its columns. */
interface Description {
  field(column: string): Field | undefined;
  title(column: string): string;
  /** SQL for the label of a row of the table, as `t`. */
  who: string;
  meant(column: string): FieldMeaning | undefined;
}

function describing(schema: string, screen: Screen, table: TableShape, before: Meaning | undefined): Description {
  const rows = table.rows === undefined ? undefined : screen.fields.find(({ name }) => name === table.rows);
  const fields = new Map((rows?.rows ?? screen.fields).map((one) => [one.name, one]));
  const meant = table.rows === undefined ? before?.fields : before?.fields[table.rows]?.rows;
  const labels = screen.label
    .map((name) => screen.fields.find((one) => one.name === name))
    .filter((one) => one && !one.secret && !one.ref && !one.rows)
    .map((one) => one!.name);
  const label = (alias: string) =>
    labels.length === 0
      ? `'number ' || ${alias}.id`
      : `coalesce(nullif(concat_ws(', ', ${labels.map((name) => `${alias}.${quoted(name)}::text`).join(', ')}), ''), 'number ' || ${alias}.id)`;
  return {
    field: (column) => fields.get(column),
    title: (column) => fields.get(column)?.title ?? (column === 'entity_id' ? 'Company' : column),
    who: rows
      ? `(select ${label('p')} from ${quoted(schema)}.${quoted(bareTable(screen.name))} p where p.id = t.parent_id) || ${literal(`, ${rows.title} `)} || (t.position + 1)`
      : label('t'),
    meant: (column) => meant?.[column],
  };
}

/** Stores that a part of a type's meaning is accepted as in the current descriptor. */
function accepting(schema: string, type: string, path: string[], value: unknown): string {
  return `update ${quoted(schema)}.schema_state set form = jsonb_set(form, ${literal(`{${path.join(',')}}`)}, ${literal(JSON.stringify(value))}::jsonb) where type = ${literal(type)} and form is not null`;
}

/** Rows that would be another company's, every company's or nobody's. */
function movedScope(schema: string, screen: Screen, from: Meaning['scope'], current: Catalogue): Change {
  const at = `${quoted(schema)}.${quoted(screen.name)}`;
  const there = current.tables.get(screen.name);
  const words = { platform: 'of the platform', tenant: 'of all companies', entity: 'of one company each' };
  // A shared record becomes the first company's, if there is one, so that nothing is hidden.
  const given =
    screen.scope === 'entity' && there && screen.name !== 'entity'
      ? [
          ...(there.columns.has('entity_id') ? [] : [`alter table ${at} add column entity_id bigint`]),
          `update ${at} set entity_id = (select min(id) from ${quoted(schema)}.entity) where entity_id is null`,
        ]
      : [];
  return {
    type: screen.name,
    field: '',
    table: screen.name,
    what: `make ${screen.plural} records ${words[screen.scope]}`,
    sql: [],
    destructive: {
      reason: `they are ${words[from]}`,
      count: there ? `select count(*) as n from ${at}` : 'select 0 as n',
      meanwhile: [],
    },
    onPurpose: [...given, accepting(schema, screen.name, ['scope'], screen.scope)],
  };
}

interface Parts {
  /** Keys on which foreign keys of other tables depend. */
  first: Change[];
  changes: Change[];
  /** Indexes and checks on existing rows. */
  later: Change[];
}

function planTable(
  schema: string,
  table: TableShape,
  stored: StoredTable,
  { first, changes, later }: Parts,
  { field: fieldOf, title, who, meant }: Description,
  filling: (path: string) => string[],
): void {
  const at = `${quoted(schema)}.${quoted(table.name)}`;
  const path = (column: string): string => (table.rows === undefined ? column : `${table.rows}.${column}`);
  // Column type changes that may be refused: changes that depend on the new type must not be tried then.
  const retyped = new Map<string, Change>();
  const change = (column: string, what: string, sql: string[], more: Partial<Change> = {}): Change => {
    const after = retyped.get(column);
    return { type: table.type, field: path(column), table: table.name, what, sql, ...(after && { after }), ...more };
  };
  const added = new Set<string>();
  /** Counts the rows that meet a condition, and names three of them. */
  const rowsWhere = (condition: string, value?: string): { count: string; examples?: string } => ({
    count: `select count(*) as n from ${at} where ${condition}`,
    ...(stored.columns.has('id') && {
      examples: `select ${who}${value ? ` || ': ' || left(${value}::text, 60)` : ''} as who from ${at} t where ${condition} order by t.id limit ${EXAMPLES}`,
    }),
  });

  for (const column of table.columns) {
    const there = stored.columns.get(column.name);
    if (there) alterColumn(column, there);
    else addColumn(column);
  }
  for (const [name, column] of stored.columns) if (!table.columns.some((one) => one.name === name)) dropColumn(column);
  const shifted: Change[] = [];
  for (const column of table.columns) shiftMeaning(column);

  // Obsolete objects are dropped before new ones are created, because both may have the same name.
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
      changes.push(change('', `drop index ${name}`, [`drop index if exists ${quoted(schema)}.${quoted(name)}`]));
      stored.indexes.delete(name);
    }
  }
  for (const constraint of table.constraints) {
    const there = stored.constraints.get(constraint.name);
    const same = there && normalised(there.definition) === normalised(inSchema(constraint.definition, schema));
    // A check violated by rows was accepted on purpose; its meaning shows what else is new.
    if (constraint.kind === 'primary' || (same && (there.validated || constraint.kind === 'check'))) continue;
    if (same && constraint.kind === 'foreign') {
      later.push(validate(constraint));
      continue;
    }
    replaceConstraint(constraint, there !== undefined);
  }
  for (const index of table.indexes) if (!stored.indexes.has(index.name)) addIndex(index);
  // If the database itself checks the same limits, its check is the one that reports.
  for (const shift of shifted)
    if (
      !changes.some((one) => one !== shift && one.table === table.name && one.field === shift.field && one.destructive)
    )
      changes.push(shift);

  function acceptedNow(field: Field): string {
    const place = ['fields', ...(table.rows === undefined ? [] : [table.rows, 'rows']), field.name];
    return accepting(schema, table.type, place, meaningOfField(field));
  }

  /** Values that are unchanged in storage, but would have another meaning or become invalid. */
  function shiftMeaning(column: ColumnShape): void {
    const [field, before] = [fieldOf(column.name), meant(column.name)];
    const shift = field && before ? shiftOf(before, field) : null;
    if (!field || !shift || !stored.columns.has(column.name)) return;
    const name = quoted(column.name);
    const filled = columnType(field).endsWith('[]') ? `cardinality(${name}) > 0` : `${name} is not null`;
    const accepted = acceptedNow(field);
    const empty = [
      ...(column.notNull ? [`alter table ${at} alter column ${name} drop not null`] : []),
      `update ${at} set ${name} = null where ${name} is not null`,
      ...(column.notNull ? requireFromNow(column.name) : []),
    ];
    const retype = retyped.get(column.name);
    if (retype) {
      retype.sql = [...(shift.empties ? empty : []), ...retype.sql, accepted];
      return;
    }
    const entry = change(column.name, `change what ${title(column.name)} means`, [accepted], {
      destructive: {
        reason: shift.reason,
        ...(shift.concerns === 'values'
          ? rowsWhere(filled)
          : { count: (on: Queryable) => countMisfits(on, { at, column: name, who, field }) }),
        meanwhile: [],
      },
      onPurpose: [...(shift.empties ? empty : []), accepted],
    });
    if (shift.concerns === 'misfits') entry.what = `change the limits of ${title(column.name)}`;
    // The key of a reference to another type requires that the values are deleted.
    if (shift.empties) {
      first.push(entry);
      retyped.set(column.name, entry);
    } else shifted.push(entry);
  }

  function addColumn(column: ColumnShape): void {
    added.add(column.name);
    const nullable = { ...column, notNull: column.notNull && column.default !== undefined };
    const sql = [`alter table ${at} add column ${columnSql(nullable)}`];
    if (column.notNull && column.default === undefined) sql.push(...requireFromNow(column.name));
    sql.push(...filling(path(column.name)));
    changes.push(
      change(
        column.name,
        `add column ${table.name}.${column.name} ${column.type}${column.notNull ? ' (required)' : ''}`,
        sql,
      ),
    );
  }

  /** Existing rows may stay empty, new ones must have a value. */
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
      // A constant of the old type could not be converted with the column.
      const sql = [
        ...(there.hasDefault ? [`alter table ${at} alter column ${name} drop default`] : []),
        ...dependents(column.name),
        `alter table ${at} alter column ${name} type ${column.type} using ${using}`,
        ...(column.default !== undefined
          ? [`alter table ${at} alter column ${name} set default ${column.default}`]
          : []),
      ];
      const what = `change the type of ${title(column.name)}`;
      if (widens(there.type, target) && !shifts(column.name)) changes.push(change(column.name, what, sql));
      else
        changes.push(
          change(column.name, what, sql, {
            destructive: {
              reason: widens(there.type, target)
                ? shifts(column.name)!
                : `not every value of ${title(column.name)} fits its new type`,
              ...rowsWhere(widens(there.type, target) ? `${name} is not null` : losing(there.type, target, name), name),
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
            reason: `rows without ${title(column.name)} are there`,
            ...rowsWhere(`${name} is null`),
            meanwhile: [],
          },
        }),
      );
      const last = changes.at(-1);
      // On purpose: empty values are filled with the default, or stay and only new rows must have a value.
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

  /** Checks and indexes on a column whose type changes: the rest of the plan creates them again. */
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
        ...(!wasComputed(table.type, path(column.name)) && {
          destructive: {
            reason: 'the field is no longer in the descriptor, its values would be lost',
            ...rowsWhere(`${name} is not null`),
            always: true,
            meanwhile: column.notNull ? [`alter table ${at} alter column ${name} drop not null`] : [],
          },
        }),
      }),
    );
  }

  function isCompanyKey(name: string): boolean {
    return name === constraintName(table.name, ['id', 'entity_id'], 'key');
  }

  function validate(constraint: ConstraintShape): Change {
    const column = constraint.columns[0] ?? '';
    const to = constraint.references!;
    const same = to.columns.map((name, n) => `r.${quoted(name)} = t.${quoted(constraint.columns[n]!)}`).join(' and ');
    const set = constraint.columns.map((name) => `t.${quoted(name)} is not null`).join(' and ');
    const missing = `${set} and not exists (select 1 from ${quoted(schema)}.${quoted(to.table)} r where ${same})`;
    return change(
      column,
      `check what ${title(column)} of the rows that are there refers to`,
      [`alter table ${at} validate constraint ${quoted(constraint.name)}`],
      {
        destructive: {
          reason: `${title(column)} refers to records that are not there${constraint.columns.length > 1 ? ', or are of another company' : ''}`,
          command: 'Correct these rows, then: npm run schema:plan -- --apply',
          count: `select count(*) as n from ${at} t where ${missing}`,
          ...(stored.columns.has('id') && {
            examples: `select ${who} as who from ${at} t where ${missing} order by t.id limit ${EXAMPLES}`,
          }),
          meanwhile: [],
        },
      },
    );
  }

  function replaceConstraint(constraint: ConstraintShape, exists: boolean): void {
    const drop = exists ? [`alter table ${at} drop constraint if exists ${quoted(constraint.name)}`] : [];
    const column = constraint.columns[0] ?? '';
    const what = whatOf(constraint, exists);
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
            reason: `rows hold values of ${title(column)} that are no longer allowed`,
            ...rowsWhere(`not (${condition})`, quoted(column)),
            meanwhile: [],
            relax: {
              find: `select distinct ${quoted(column)}::text as value from ${at} where not (${condition}) limit 100`,
              sql: open,
            },
          },
        }),
      );
      const last = changes.at(-1);
      const field = fieldOf(column);
      if (last)
        last.onPurpose = [
          ...drop,
          addConstraintSql(schema, table.name, constraint, true),
          ...(field ? [acceptedNow(field)] : []),
        ];
    } else {
      const [from = '', to = ''] = constraint.columns.slice(-2);
      const overlap = `exists (select 1 from ${at} o where o.id <> t.id and ${constraint.overlaps})`;
      changes.push(
        change(column, what, [...drop, addConstraintSql(schema, table.name, constraint)], {
          destructive: {
            reason: `records with the same ${constraint.columns.slice(0, -2).map(title).join(' and ') || 'key'} overlap from ${title(from)} to ${title(to)}`,
            command: 'Correct these rows, then: npm run schema:plan -- --apply',
            count: `select count(*) as n from ${at} t where ${overlap}`,
            examples: `select ${who} as who from ${at} t where ${overlap} order by t.id limit ${EXAMPLES}`,
            meanwhile: [],
          },
        }),
      );
    }
  }

  function whatOf({ kind, columns, target }: ConstraintShape, exists: boolean): string {
    const verb = exists ? 'change' : 'add';
    if (kind === 'foreign') return `${verb} the reference of ${title(columns[0] ?? '')} to ${target}`;
    if (kind === 'check') return `${verb} the limits of ${title(columns[0] ?? '')}`;
    return `${verb} the rule that ${columns.slice(-2).map(title).join(' to ')} do not overlap`;
  }

  /** Why values of a column of unchanged type would have another meaning; null = they would not. */
  function shifts(column: string): string | null {
    const [now, before] = [fieldOf(column), meant(column)];
    const shift = now && before ? shiftOf(before, now) : null;
    return shift?.concerns === 'values' ? shift.reason : null;
  }

  function addIndex(index: IndexShape): void {
    const key = isCompanyKey(index.name);
    const large = stored.bytes > largeTable && !key;
    const sql = [createIndexSql(schema, table.name, index, large)];
    const fields =
      index.columns
        .filter((name) => name !== 'entity_id')
        .map(title)
        .join(' and ') || 'kind of record';
    const what = index.unique && !key ? `allow each ${fields} only once` : `add index ${index.name}`;
    const entry = change(index.columns[0] ?? '', what, sql, large ? { concurrently: true } : {});
    const whole =
      [
        ...(index.where === undefined ? [] : [index.where]),
        ...(index.emptyEqual ? [] : index.columns.map((name) => `${quoted(name)} is not null`)),
      ].join(' and ') || 'true';
    // A key without columns compares a constant, by which rows cannot be grouped.
    const keys = index.keys.map((one) => (one === '(true)' ? '(id is null)' : one)).join(', ');
    if (index.unique && !key)
      entry.destructive = {
        reason: `rows with the same ${fields} are there`,
        command: 'Correct these rows, then: npm run schema:plan -- --apply',
        count: `select coalesce(sum(n - 1), 0)::bigint as n from (select count(*) as n from ${at} where ${whole} group by ${keys} having count(*) > 1) d`,
        examples: `select ${who} as who from (select *, count(*) over (partition by ${keys}) as alike from ${at} where ${whole}) t where alike > 1 order by ${keys}, t.id limit ${EXAMPLES}`,
        meanwhile: [],
      };
    (key ? first : later).push(entry);
  }
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

/** True if every value of the one type is a value of the other, with the same notation and sort order. */
export function widens(from: string, to: string): boolean {
  const before = numericSize(from);
  const after = numericSize(to);
  if (before && after) {
    if (whole[to] !== undefined) return whole[from] !== undefined && before.digits <= after.digits;
    return before.digits <= after.digits && before.scale <= after.scale;
  }
  return from === 'date' && to === 'timestamp with time zone';
}

function conversion(from: string, to: string, column: string): string {
  if (to === `${from}[]`) return `case when ${column} is null then null else array[${column}] end`;
  if (from === 'timestamp with time zone' && to === 'date') return `(${column} at time zone 'UTC')::date`;
  if (from === 'date' && to === 'timestamp with time zone') return `${column}::timestamp at time zone 'UTC'`;
  if (numericSize(from) && numericSize(to)) return `${column}::${to}`;
  if (from.endsWith('[]') && !to.endsWith('[]')) return `${column}[1]::text::${to}`;
  // A text that is not valid in the new type becomes empty instead of stopping the change.
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

/** Rows whose value would change. */
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
