import { createHash } from 'node:crypto';

/** PostgreSQL truncates longer identifiers silently, so two could become equal. */
const longest = 63;

/** An SQL identifier in quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text constant in SQL. */
export function literal(value: string): string {
  const text = `'${value.replaceAll("'", "''")}'`;
  return text.includes('\\') ? `E${text.replaceAll('\\', '\\\\')}` : text;
}

/** Name of a constraint or index: `<table>_<columns>_<suffix>`, shortened with a hash where it is too long. */
export function constraintName(table: string, columns: string[], suffix: string): string {
  const name = [table, ...columns, suffix].join('_');
  if (Buffer.byteLength(name) <= longest) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, longest - suffix.length - hash.length - 2)}_${hash}_${suffix}`;
}

/** Name of the check that new rows have a value although older ones have none. */
export function requiredCheck(table: string, column: string): string {
  return `${table}_${column}_required_check`.slice(-longest);
}

/** Schema of a sub-domain: `north-star` → `cmp_north_star`. */
export function schemaName(subDomain: string): string {
  return `cmp_${subDomain.replaceAll('-', '_')}`;
}

/** Bare name of a record type's table; `rows` names its child table. */
export function bareTable(type: string, rows?: string): string {
  return rows === undefined ? type : `${type}__${rows}`;
}

/** A record type's table for a statement, e.g. `"cmp_demo"."branch"`. */
export function tableName(schema: string, type: string): string {
  return `${quoted(schema)}.${quoted(type)}`;
}

/** The table of a child rows field, e.g. `"cmp_demo"."designation__competencies"`. */
export function childTable(schema: string, type: string, field: string): string {
  return `${quoted(schema)}.${quoted(bareTable(type, field))}`;
}

/** The closure table of a tree, e.g. `"cmp_demo"."employee_tree"`. */
export function treeTable(schema: string, type: string): string {
  return `${quoted(schema)}.${quoted(`${type}_tree`)}`;
}

/** The table of the people who sign in: users of a tenant, common users of the platform. */
export function peopleTable(schema: string): string {
  return tableName(schema, schema === 'public' ? 'common_user' : 'users');
}
