import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../descriptor/types.ts';
import { literal, peopleTable, quoted, tableName } from './names.ts';

/** Columns of every record, in the order of answers. */
const STAMPS = ['id', 'version', 'active', 'created_at', 'created_by', 'updated_at', 'updated_by'];

/** The fields stored in a record's own table. */
export function columnFields(fields: Field[]): Field[] {
  return fields.filter((field) => field.type !== 'rows');
}

/** The written fields of a record: its own columns, those of fields that a client has hidden, and custom fields. */
export function storedFields(screen: Screen): { columns: Field[]; custom: Field[] } {
  const own = columnFields(screen.fields);
  return {
    columns: [...own.filter((field) => !field.custom), ...(screen.preset ?? [])],
    custom: own.filter((field) => field.custom),
  };
}

/** The custom fields of a record in stored form: empty ones are left out. */
export function customValues(custom: Field[], record: Record<string, unknown>): Record<string, unknown> | null {
  const kept = custom.flatMap(({ name }) =>
    record[name] === null || record[name] === undefined ? [] : [[name, record[name]] as const],
  );
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** True if the field's column is a list: tags, or references to several records. */
export function holdsSeveral(screen: Screen, name: string): boolean {
  return ['tags', 'refs'].includes(screen.fields.find((field) => field.name === name)?.type ?? '');
}

/** The condition that a field of `t` equals a value given as text or, if it has several, contains it. */
export function isOrHas(screen: Screen, name: string, value: string): string {
  return holdsSeveral(screen, name)
    ? `${value} = any(t.${quoted(name)}::text[])`
    : `t.${quoted(name)}::text = ${value}`;
}

/**
 * A field's value in SQL: its column, or its entry in `custom`; for a masked one only the last characters, so that
 * lists can neither show, find nor sort by the rest.
 */
export function columnSql(field: Field, alias: string): string {
  const column = field.custom ? customSql(field, alias) : `${alias}.${quoted(field.name)}`;
  return field.masked ? `('••••' || right(nullif(${column}, ''), 4))` : column;
}

function customSql(field: Field, alias: string): string {
  const sql = fieldType(field.type).sql(field);
  const [json, text] = ['->', '->>'].map((arrow) => `${alias}.custom${arrow}${literal(field.name)}`) as [
    string,
    string,
  ];
  if (sql.endsWith('[]'))
    return `(case when jsonb_typeof(${json}) = 'array' then array(select jsonb_array_elements_text(${json})) end)`;
  return sql === 'text' ? `(${text})` : `(${text})::${sql}`;
}

/** The readable columns of a record's own table, quoted, with an alias. */
export function readColumns(screen: Screen, alias: string, wanted?: ReadonlySet<string>): string[] {
  const company = screen.scope === 'entity' ? ['entity_id'] : [];
  const own = columnFields(screen.fields).filter((field) => !field.secret && (wanted?.has(field.name) ?? true));
  return [
    ...[...STAMPS, ...company].map((name) => `${alias}.${quoted(name)}`),
    ...own.map((field) =>
      field.custom || field.masked
        ? `${columnSql(field, alias)} as ${quoted(field.name)}`
        : `${alias}.${quoted(field.name)}`,
    ),
  ];
}

/** For secret fields only whether a value is stored. */
export function secretColumns(screen: Screen, alias: string, wanted?: ReadonlySet<string>): string[] {
  return screen.fields
    .filter((field) => field.secret && field.type !== 'rows' && (wanted?.has(field.name) ?? true))
    .map((field) => `${alias}.${quoted(field.name)} is not null as ${quoted(`${field.name}__set`)}`);
}

/** How the types of references are found: their descriptors, and the schema of their tables. */
export interface NamePlace {
  screens: ReadonlyMap<string, Screen>;
  schema: string;
}

/** The maximum number of references followed for a label; beyond it, the id is shown. */
const NAME_DEPTH = 3;

/** The SQL expression for the label of a record: a reference in it is shown by its own label. */
export function labelExpression(screen: Screen, alias: string, place: NamePlace): string {
  return namingText(screen, screen.label[0] ?? 'id', alias, place, 1);
}

/** The second line of a record in a picker, or null. */
export function detailExpression(screen: Screen, alias: string, place: NamePlace): string | null {
  const second = screen.label[1];
  return second === undefined ? null : namingText(screen, second, alias, place, 1);
}

/** All label fields of a record in one text, such as its number and its subject; months and dates as people read them. */
export function wholeName(screen: Screen, alias: string, place: NamePlace): string {
  const parts = screen.label.map((column) => {
    const text = namingText(screen, column, alias, place, 1);
    const type = screen.fields.find(({ name }) => name === column)?.type;
    if (type === 'month') return `to_char(to_date(${text}, 'YYYY-MM'), 'Mon YYYY')`;
    return type === 'date' ? `to_char(${alias}.${quoted(column)}, 'DD-MM-YYYY')` : text;
  });
  return parts.length < 2 ? labelExpression(screen, alias, place) : `nullif(concat_ws(' · ', ${parts.join(', ')}), '')`;
}

/** A field as text: for a reference the label of its record. */
export function namingText(screen: Screen, column: string, alias: string, place: NamePlace, depth = 1): string {
  const field = screen.fields.find((one) => one.name === column);
  const text = `${alias}.${quoted(column)}`;
  const target = field?.type === 'ref' && !field.refBy ? place.screens.get(field.ref!.type) : undefined;
  if (target && depth <= NAME_DEPTH && (target.scope === 'platform') === (place.schema === 'public')) {
    const inner = `n${depth}`;
    const name = namingText(target, target.label[0] ?? 'id', inner, place, depth + 1);
    return `(select ${name} from ${tableName(place.schema, target.name)} ${inner} where ${inner}.id = ${text})`;
  }
  return field && fieldType(field.type).sql(field) === 'text' ? text : `${text}::text`;
}

/**
 * Select items that add `<field>__label` beside references and files. Each is looked up by the id of its row: a join
 * would have to be planned again with every list, which costs more than the look-ups of a page.
 */
export function labels(screens: Map<string, Screen>, schema: string, fields: Field[], alias: string): string[] {
  return fields.flatMap((field) => {
    const own = `${alias}.${quoted(field.name)}`;
    const name = quoted(`${field.name}__label`);
    if (fieldType(field.type).can.file)
      return [`(select l.name from ${quoted(schema)}."file" l where l.id = ${own}) as ${name}`];
    if (field.refBy) {
      const cases = field.refBy.types.flatMap((type) => {
        const of = screens.get(type);
        if (!of || (of.scope === 'platform') !== (schema === 'public')) return [];
        return [
          `when ${literal(type)} then (select ${labelExpression(of, 'l', { screens, schema })} from ${tableName(schema, type)} l where l.id = ${own})`,
        ];
      });
      return cases.length > 0 ? [`(case ${alias}.${quoted(field.refBy.field)} ${cases.join(' ')} end) as ${name}`] : [];
    }
    const target = field.ref && screens.get(field.ref.type);
    if (!target || (target.scope === 'platform') !== (schema === 'public')) return [];
    const table = tableName(schema, target.name);
    const label = labelExpression(target, 'l', { screens, schema });
    if (field.type === 'refs')
      return [
        `(select coalesce(array_agg(${label} order by o.at), '{}') from unnest(${own}) with ordinality o(id, at) join ${table} l on l.id = o.id) as ${name}`,
      ];
    return [`(select ${label} from ${table} l where l.id = ${own}) as ${name}`];
  });
}

/** Columns with author and last editor of a record. */
export const STAMPS_OF_PEOPLE = ['created_by', 'updated_by'];

/** The label of a user, by the alias of the users table; null = none. */
export function stampLabel(screens: Map<string, Screen>, schema: string, alias: string): string | null {
  const people = screens.get(schema === 'public' ? 'common_user' : 'users');
  if (people) return labelExpression(people, alias, { screens, schema });
  return schema === 'public' ? `${alias}.name` : null;
}

/** Labels of author and last editor of a record. */
export function stampLabels(
  screens: Map<string, Screen>,
  schema: string,
  alias: string,
  wanted?: ReadonlySet<string>,
): string[] {
  const label = stampLabel(screens, schema, 'l');
  if (label === null) return [];
  return STAMPS_OF_PEOPLE.filter((stamp) => wanted?.has(stamp) ?? true).map(
    (stamp) =>
      `(select ${label} from ${peopleTable(schema)} l where l.id = ${alias}.${stamp}) as ${quoted(`${stamp}__label`)}`,
  );
}
