import { quoted } from './names.ts';

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

/** The column of a field, e.g. `"branch_id"`. */
export function columnName(field: string): string {
  return quoted(field);
}
