import { createHash } from 'node:crypto';
import { conditionFields } from '../../descriptor/key_condition.ts';
import { numberKey } from '../../descriptor/number_key.ts';
import type { ConditionalKey, Field, FilterExpression, RangeKey, Screen } from '../../descriptor/types.ts';
import { columnType } from './column_type.ts';
import { heldRules } from './held_rules.ts';
import { comparable, conditionSql } from './key_sql.ts';
import type { Meaning } from './meaning.ts';
import { meaningOf } from './meaning.ts';
import { bareTable, constraintName, literal, quoted } from './names.ts';
import { platformTables, systemTables } from './system_tables.ts';

export interface ColumnShape {
  name: string;
  /** PostgreSQL type as written in DDL. */
  type: string;
  notNull: boolean;
  /** Constant, as SQL. */
  default?: string;
  identity?: true;
}
export interface ConstraintShape {
  name: string;
  kind: 'primary' | 'check' | 'foreign' | 'exclude';
  /** Without the name. `{s}` stands for the quoted schema. */
  definition: string;
  columns: string[];
  /** Foreign keys: the referenced table. */
  target?: string;
  /** Foreign keys: the referenced columns, in the order of `columns`. */
  references?: { table: string; columns: string[] };
  /** Ranges that must not overlap: the condition under which two rows do. */
  overlaps?: string;
}
export interface IndexShape {
  name: string;
  unique: boolean;
  /** From the method on: `btree (entity_id, lower(code))`. */
  definition: string;
  /** Unique keys: the expressions compared, to look for duplicates. */
  keys: string[];
  columns: string[];
  /** Unique keys: empty values are equal. */
  emptyEqual?: true;
  /** Only rows that meet this condition. */
  where?: string;
}
/** One table as it should be. */
export interface TableShape {
  name: string;
  /** The record type. */
  type: string;
  /** Child tables: the rows field. */
  rows?: string;
  columns: ColumnShape[];
  constraints: ConstraintShape[];
  indexes: IndexShape[];
  /** Append-only: clients' roles may neither change nor delete rows. */
  appendOnly?: true;
}
/** All tables of one record type. */
export interface TypeShape {
  type: string;
  tables: TableShape[];
  /** Other types that must have their tables first. */
  needs: string[];
  /** What the rows mean. */
  meaning: Meaning;
  /** Changes with anything that affects the tables or the meaning of their rows, and with nothing else. */
  hash: string;
}

const textTypes = /^(text|varchar)/;
const numberTypes = /^(numeric|integer|bigint|smallint)/;

/**
 * Whether records of other companies may be chosen, at least at some clients: the tables of all clients are the same.
 */
const crosses = (ref: NonNullable<Field['ref']>): boolean =>
  ref.acrossCompanies === true || ref.acrossWhen !== undefined;

/** The tables that a screen's record type needs. Throws if its name is a system table's. */
function shapeOf(screen: Screen, screens: ReadonlyMap<string, Screen>, referred: ReadonlySet<string>): TypeShape {
  if ((screen.scope === 'platform' ? platformTables : systemTables).has(screen.name))
    throw new Error(`A record type cannot be named "${screen.name}": the product has a table of that name.`);
  const type = screen.name;
  if (screen.reads) {
    // A view has no table; those that it reads are created with it.
    const meaning = meaningOf(screen);
    const needed = [...Object.keys(screen.reads), ...screen.fields.flatMap(({ ref }) => (ref ? [ref.type] : []))];
    const there = needed.filter((one) => (screens.get(one)?.scope === 'platform') === (screen.scope === 'platform'));
    return { type, tables: [], needs: [...new Set(there)], meaning, hash: hashOf([there, meaning]) };
  }
  const byCompany = screen.scope === 'entity';
  const needs = new Set<string>();
  const main = new TableBuilder(bareTable(type), type);
  const companies = byCompany && screens.get('entity')?.scope === 'tenant';
  if (byCompany) main.columns.push({ name: 'entity_id', type: 'bigint', notNull: true });
  for (const field of screen.fields) main.field(field);
  main.columns.push(
    { name: 'custom', type: 'jsonb', notNull: false },
    { name: 'active', type: 'boolean', notNull: true, default: 'true' },
    { name: 'version', type: 'integer', notNull: true, default: '1' },
    { name: 'created_at', type: 'timestamptz', notNull: true, default: 'now()' },
    { name: 'created_by', type: 'bigint', notNull: false },
    { name: 'updated_at', type: 'timestamptz', notNull: true, default: 'now()' },
    { name: 'updated_by', type: 'bigint', notNull: false },
  );
  // The groups decide who sees the rows.
  if (screen.scopes?.group) needs.add(screen.scopes.group.in.split('.')[0]!);
  // Foreign keys of other company types name (id, entity_id), so that the database itself refuses another company's row.
  if (byCompany && referred.has(type)) main.unique(['id', 'entity_id'], []);
  if (companies) {
    main.foreign(['entity_id'], 'entity', ['id']);
    needs.add('entity');
  }
  const company = byCompany ? ['entity_id'] : [];
  for (const key of screen.unique)
    main.unique(
      key,
      company,
      screen.emptyEqual?.some((one) => one.join() === key.join()),
    );
  const numbers = numberKey(screen);
  if (numbers && !screen.unique.some((key) => key.join() === numbers.join())) main.unique(numbers, company);

  const references = (table: TableBuilder, fields: Field[], inCompany: boolean): void => {
    for (const field of fields) {
      if (columnType(field) === 'bigint[]')
        table.index([quoted(field.name)], [field.name], { method: 'gin', filled: field.name });
      if (field.refBy) {
        // There is no foreign key, but the names of the records are read from their tables.
        for (const name of field.refBy.types)
          if (name !== type && (screens.get(name)?.scope === 'platform') === (screen.scope === 'platform'))
            needs.add(name);
        table.index([quoted(field.refBy.field), quoted(field.name)], [field.refBy.field, field.name]);
      }
      if (!field.ref || columnType(field) !== 'bigint') continue;
      const target = screens.get(field.ref.type);
      // No key to a missing type (its file has an error), nor outside the schema.
      if (target && (target.scope === 'platform') === (screen.scope === 'platform')) {
        if (inCompany && target.scope === 'entity' && !crosses(field.ref))
          table.foreign([field.name, 'entity_id'], target.name, ['id', 'entity_id']);
        else table.foreign([field.name], target.name, ['id']);
        if (target.name !== type) needs.add(target.name);
      }
      table.index([...(inCompany ? ['entity_id'] : []), quoted(field.name)], [field.name], { filled: field.name });
    }
  };
  references(main, screen.fields, byCompany);
  for (const key of screen.index) main.index([...company, ...key.map((name) => main.order(name))], key);
  // The visible part of a map is found without reading all places.
  const place = screen.looks?.map?.at;
  if (place !== undefined)
    main.index(
      [...company, ...['lat', 'lng'].map((side) => `((${quoted(place)} ->> '${side}')::double precision)`)],
      [place],
    );
  const sort = sortColumns(screen.sort, main);
  if (sort.length > 0)
    main.index(
      [...company, ...sort.map(({ sql }) => sql), sort[0]?.descending ? 'id desc' : 'id'],
      sort.map(({ name }) => name),
    );
  for (const key of screen.uniqueWhen ?? []) main.uniqueWhen(key, company);
  for (const range of screen.ranges ?? []) if (range.rows === undefined) main.noOverlap(range, company);
  heldRules(screen).forEach((rule, at) => main.check(`rule_${at + 1}`, rule));
  if (screen.written?.append) main.appendOnly = true;

  const tables = [main];
  for (const field of screen.fields) {
    if (!field.rows || field.part) continue;
    const child = new TableBuilder(bareTable(type, field.name), type, field.name);
    child.columns.push(
      { name: 'parent_id', type: 'bigint', notNull: true },
      { name: 'position', type: 'integer', notNull: true },
    );
    for (const column of field.rows) child.field(column);
    child.foreign(['parent_id'], type, ['id'], ' on delete cascade');
    child.index(['parent_id', '"position"'], ['parent_id', 'position']);
    references(child, field.rows, false);
    for (const range of screen.ranges ?? []) if (range.rows === field.name) child.noOverlap(range, []);
    tables.push(child);
  }
  if (screen.tree?.closure) tables.push(closureTable(type));
  const shapes = tables.map((table) => table.shape());
  const meaning = meaningOf(screen);
  return { type, tables: shapes, needs: [...needs], meaning, hash: hashOf([shapes, meaning]) };
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Types whose rows are referenced by (id, entity_id). */
function referredWithinCompany(screens: ReadonlyMap<string, Screen>): Set<string> {
  const referred = new Set<string>();
  for (const screen of screens.values())
    if (screen.scope === 'entity')
      for (const field of screen.fields)
        if (field.ref && !crosses(field.ref) && screens.get(field.ref.type)?.scope === 'entity')
          referred.add(field.ref.type);
  return referred;
}

const known = new WeakMap<ReadonlyMap<string, Screen>, { screens: Screen[]; shapes: Map<string, TypeShape> }>();

/** The shapes of all screens; computed once for a set of screens. */
export function shapesOf(screens: ReadonlyMap<string, Screen>): Map<string, TypeShape> {
  const before = known.get(screens);
  const now = [...screens.values()];
  if (before && before.screens.length === now.length && before.screens.every((screen, at) => screen === now[at]))
    return before.shapes;
  const referred = referredWithinCompany(screens);
  const shapes = new Map(now.map((screen) => [screen.name, shapeOf(screen, screens, referred)]));
  known.set(screens, { screens: now, shapes });
  return shapes;
}

function sortColumns(sort: string[], table: TableBuilder): { name: string; sql: string; descending: boolean }[] {
  const columns = [];
  for (const entry of sort) {
    const descending = entry.startsWith('-');
    const name = descending ? entry.slice(1) : entry;
    const column = table.columns.find((one) => one.name === name);
    // Sorting by a reference sorts by its label, which no index of this table supports.
    if (!column || column.type === 'bigint' || /\[\]$|jsonb/.test(column.type)) break;
    columns.push({ name, sql: `${table.order(name)}${descending ? ' desc' : ''}`, descending });
  }
  return columns;
}

function closureTable(type: string): TableBuilder {
  const table = new TableBuilder(`${type}_tree`, type, undefined, false);
  table.columns.push(
    { name: 'ancestor_id', type: 'bigint', notNull: true },
    { name: 'descendant_id', type: 'bigint', notNull: true },
    { name: 'depth', type: 'integer', notNull: true },
  );
  table.constraints.push({
    name: constraintName(table.name, [], 'pkey'),
    kind: 'primary',
    definition: 'primary key (ancestor_id, descendant_id)',
    columns: ['ancestor_id', 'descendant_id'],
  });
  table.foreign(['ancestor_id'], type, ['id'], ' on delete cascade');
  table.foreign(['descendant_id'], type, ['id'], ' on delete cascade');
  table.index(['descendant_id', 'depth'], ['descendant_id', 'depth']);
  return table;
}

class TableBuilder {
  readonly name: string;
  readonly type: string;
  readonly rows: string | undefined;
  readonly columns: ColumnShape[] = [];
  readonly constraints: ConstraintShape[] = [];
  readonly indexes: IndexShape[] = [];
  appendOnly = false;

  constructor(name: string, type: string, rows?: string, identity = true) {
    this.name = name;
    this.type = type;
    this.rows = rows;
    if (!identity) return;
    this.columns.push({ name: 'id', type: 'bigint', notNull: true, identity: true });
    this.constraints.push({
      name: constraintName(name, [], 'pkey'),
      kind: 'primary',
      definition: 'primary key (id)',
      columns: ['id'],
    });
  }

  /** The column of a field, with the checks from its schema. */
  field(field: Field): void {
    if (field.rows || field.type === 'rows') return;
    const type = columnType(field);
    const constant = constantDefault(field.default, type);
    this.columns.push({
      name: field.name,
      type,
      // Required while it is visible, as the engine checks.
      notNull: field.required && field.when === undefined,
      ...(constant !== undefined && { default: constant }),
    });
    const column = quoted(field.name);
    const choices = field.options?.map(({ value }) => value) ?? [];
    if (choices.length > 0 && textTypes.test(type))
      this.check(field.name, `${column} = any (array[${choices.map((value) => literal(String(value))).join(', ')}])`);
    else if (choices.length > 0 && numberTypes.test(type) && choices.every((value) => Number.isFinite(Number(value))))
      this.check(field.name, `${column} = any (array[${choices.map(Number).join(', ')}])`);
    else if (numberTypes.test(type) && !field.ref) {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field.schema;
      const bounds = [
        [minimum, '>='],
        [exclusiveMinimum, '>'],
        [maximum, '<='],
        [exclusiveMaximum, '<'],
      ] as const;
      const terms = bounds.flatMap(([bound, operator]) =>
        typeof bound === 'number' ? [`${column} ${operator} ${plain(bound)}`] : [],
      );
      if (terms.length > 0) this.check(field.name, terms.join(' and '));
    }
  }

  check(column: string, condition: string): void {
    this.constraints.push({
      name: constraintName(this.name, [column], 'check'),
      kind: 'check',
      definition: `check (${condition})`,
      columns: [column],
    });
  }

  foreign(columns: string[], target: string, to: string[], rest = ''): void {
    const list = columns.map(quoted).join(', ');
    this.constraints.push({
      name: constraintName(
        this.name,
        columns.filter((column) => column !== 'entity_id' || columns.length === 1),
        'fkey',
      ),
      kind: 'foreign',
      definition: `foreign key (${list}) references {s}.${quoted(target)} (${to.map(quoted).join(', ')})${rest}`,
      columns,
      target,
      references: { table: target, columns: to },
    });
  }

  /** Text is compared ignoring case. */
  order(name: string, alias?: string): string {
    const column = this.columns.find((one) => one.name === name);
    const whole = alias === undefined ? quoted(name) : `${alias}.${quoted(name)}`;
    return column && textTypes.test(column.type) ? `lower(${whole})` : whole;
  }

  unique(columns: string[], company: string[], emptyEqual = false): void {
    const all = [...company, ...columns];
    // A key with missing columns is reported by schema:check; here it must not stop the others.
    if (!all.every((name) => this.columns.some((column) => column.name === name))) return;
    const keys = all.map((name) => this.order(name));
    this.indexes.push({
      name: constraintName(this.name, columns, 'key'),
      unique: true,
      definition: `btree (${keys.join(', ')})${emptyEqual ? ' nulls not distinct' : ''}`,
      keys,
      columns,
      ...(emptyEqual && { emptyEqual }),
    });
  }

  /**
   * An index for searches. `filled`: only rows with a value in this column, unless every row has one: nobody searches
   * for the empty ones by it, and a row without a value then costs nothing.
   */
  index(
    keys: string[],
    columns: string[],
    { method = 'btree', filled }: { method?: 'btree' | 'gin'; filled?: string } = {},
  ): void {
    if (!columns.every((name) => this.columns.some((column) => column.name === name))) return;
    const name = constraintName(this.name, columns, 'idx');
    if (this.indexes.some((index) => index.name === name)) return;
    const optional = this.columns.some((column) => column.name === filled && !column.notNull);
    const where = optional ? `${quoted(filled!)} is not null` : undefined;
    this.indexes.push({
      name,
      unique: false,
      definition: `${method} (${keys.join(', ')})${where === undefined ? '' : ` where ${where}`}`,
      keys,
      columns,
      ...(where !== undefined && { where }),
    });
  }

  /** Whether another index finds all that this one does, because its keys begin with the same ones. */
  #isCovered(index: IndexShape): boolean {
    if (index.unique || !index.definition.startsWith('btree ')) return false;
    const at = this.indexes.indexOf(index);
    return this.indexes.some(
      (other, place) =>
        other !== index &&
        other.where === undefined &&
        other.definition.startsWith('btree ') &&
        index.keys.every((key, n) => other.keys[n] === key) &&
        (other.keys.length > index.keys.length || other.unique || place < at),
    );
  }

  /** A key of the active records that match a filter. */
  uniqueWhen({ key, when, emptyEqual }: ConditionalKey, company: string[]): void {
    const all = [...company, ...key];
    if (!this.#has([...all, ...conditionFields(when)])) return;
    const keys = all.length > 0 ? all.map((name) => this.order(name)) : ['(true)'];
    const where = `"active" and ${this.#condition(when)}`;
    this.indexes.push({
      name: whenKeyName(this.name, key, when),
      unique: true,
      definition: `btree (${keys.join(', ')})${emptyEqual ? ' nulls not distinct' : ''} where ${where}`,
      keys,
      columns: key,
      where,
      ...(emptyEqual && { emptyEqual }),
    });
  }

  #has(names: string[]): boolean {
    return names.every((name) => this.columns.some((column) => column.name === name));
  }

  #condition(when: FilterExpression, alias = ''): string {
    return conditionSql(when, (name) => this.columns.find((column) => column.name === name)?.type, alias);
  }

  /**
   * Ranges of active records, or of rows, that must not overlap; empty key fields are equal. Checked at the end of a
   * statement, so that one statement may move a boundary between two.
   */
  noOverlap(range: RangeKey, company: string[]): void {
    const all = [...company, ...range.key];
    if (!this.#has([range.from, range.to, ...all, ...(range.when ? conditionFields(range.when) : [])])) return;
    const keysOf = (alias: string) =>
      all.map((name) => {
        const { type, notNull } = this.columns.find((one) => one.name === name)!;
        return comparable(`${alias}${quoted(name)}`, type, notNull);
      });
    const whereOf = (alias: string) => [
      ...(this.rows === undefined ? [`${alias}"active"`] : []),
      ...(range.when ? [this.#condition(range.when, alias)] : []),
    ];
    const where = whereOf('').join(' and ');
    const sql = rangeSql(range, quoted(range.from), quoted(range.to));
    const terms = [...keysOf('').map((key) => `${key} with =`), `${sql} with &&`];
    this.constraints.push({
      name: rangeName(this.name, range),
      kind: 'exclude',
      definition: `exclude using gist (${terms.join(', ')})${where ? ` where (${where})` : ''} deferrable`,
      columns: [...range.key, range.from, range.to],
      overlaps: [
        ...keysOf('o.').map((key, at) => `${key} = ${keysOf('t.')[at]}`),
        `${rangeSql(range, `o.${quoted(range.from)}`, `o.${quoted(range.to)}`)} && ${rangeSql(range, `t.${quoted(range.from)}`, `t.${quoted(range.to)}`)}`,
        ...whereOf('o.'),
        ...whereOf('t.'),
      ].join(' and '),
    });
  }

  shape(): TableShape {
    return {
      name: this.name,
      type: this.type,
      ...(this.rows !== undefined && { rows: this.rows }),
      columns: this.columns,
      constraints: this.constraints,
      indexes: this.indexes.filter((index) => !this.#isCovered(index)),
      ...(this.appendOnly && { appendOnly: true as const }),
    };
  }
}

/** The range of a row in SQL. */
export function rangeSql({ word, step }: RangeKey, from: string, to: string): string {
  if (word === 'valid') return `daterange(${from}, ${to}, '[]')`;
  const end = step === '0' ? `${to}::numeric` : `${to}::numeric + ${step}`;
  return `numrange(${from}::numeric, ${end}, '[)')`;
}

/** The exclusion constraint for ranges. */
export function rangeName(table: string, { key, from, to, no }: RangeKey): string {
  return constraintName(table, [...key, from, to, ...(no === undefined ? [] : [String(no + 1)])], 'excl');
}

/** The index of a conditional key; several may have the same fields. */
export function whenKeyName(table: string, key: string[], when: FilterExpression): string {
  return constraintName(table, [...key, ...new Set(conditionFields(when))], 'when_key');
}

function plain(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}

/** A field's default as an SQL constant, if it is constant. */
function constantDefault(value: unknown, type: string): string | undefined {
  if (typeof value === 'boolean' && type === 'boolean') return String(value);
  if (
    (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))) &&
    numberTypes.test(type)
  )
    return String(value);
  if (typeof value === 'string' && textTypes.test(type)) return literal(value);
  if (typeof value === 'string' && type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return literal(value);
  return undefined;
}
