import { createHash } from 'node:crypto';

/** PostgreSQL cuts longer identifiers silently, so that two could become one. */
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

/** Schema of a sub-domain: `north-star` → `cmp_north_star`. */
export function schemaName(subDomain: string): string {
  return `cmp_${subDomain.replaceAll('-', '_')}`;
}
