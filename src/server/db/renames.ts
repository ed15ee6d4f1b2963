import type { Field, Screen } from '../../descriptor/types.ts';
import type { Catalogue, StoredTable } from './catalogue.ts';
import type { FieldMeaning, Meaning } from './meaning.ts';
import { bareTable, literal, quoted, requiredCheck } from './names.ts';
import type { Change } from './plan.ts';

/** The name under which a field is stored, if it has one that is not its own. */
function formerName(
  field: Field,
  fields: readonly Field[],
  stored: (name: string) => boolean,
  before: Record<string, FieldMeaning> | undefined,
): string | undefined {
  if (stored(field.name)) return undefined;
  // A descriptor that is taken back finds its values under the name that was meant to follow.
  const later = Object.entries(before ?? {}).flatMap(([name, { was }]) => (was?.includes(field.name) ? [name] : []));
  return [...(field.was ?? []), ...later].find((name) => stored(name) && !fields.some((other) => other.name === name));
}

/**
 * Fields of another name than before (`"was"`): columns and tables of child rows keep what they hold. The catalogue
 * is changed as if it had been done, so that the rest of the plan speaks of the new names.
 */
export function planRenames(
  schema: string,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  current: Catalogue,
  before: Meaning | undefined,
): Change[] {
  const changes: Change[] = [];
  const main = current.tables.get(bareTable(screen.name));
  if (!main) return changes;
  const rename = (field: string, table: string, old: string, sql: string[]): void => {
    changes.push({
      type: screen.name,
      field,
      table,
      what: `rename ${screen.name}.${old} to ${field}`,
      sql,
      rename: true,
    });
  };

  for (const field of screen.fields) {
    if (!field.rows) {
      const old = formerName(field, screen.fields, (name) => main.columns.has(name), before?.fields);
      if (old === undefined) continue;
      moveMeaning(before?.fields, old, field.name);
      rename(field.name, main.name, old, [
        ...moveColumn(schema, main, old, field.name),
        ...elsewhere(schema, screen, screens, old, field.name),
        renamedMeaning(schema, screen.name, ['fields'], old, field),
      ]);
      continue;
    }
    const isStored = (name: string): boolean => current.tables.has(bareTable(screen.name, name));
    const old = formerName(field, screen.fields, isStored, before?.fields);
    const name = bareTable(screen.name, field.name);
    if (old !== undefined) {
      const table = current.tables.get(bareTable(screen.name, old))!;
      current.tables.delete(table.name);
      current.tables.set(name, { ...table, name });
      moveMeaning(before?.fields, old, field.name);
      rename(field.name, name, old, [
        `alter table ${quoted(schema)}.${quoted(table.name)} rename to ${quoted(name)}`,
        ...elsewhere(schema, screen, screens, old, field.name),
        renamedMeaning(schema, screen.name, ['fields'], old, field),
      ]);
    }
    const child = current.tables.get(name);
    const meant = before?.fields[field.name]?.rows;
    for (const column of child ? field.rows : []) {
      const former = formerName(column, field.rows, (one) => child!.columns.has(one), meant);
      if (former === undefined) continue;
      moveMeaning(meant, former, column.name);
      rename(`${field.name}.${column.name}`, name, `${field.name}.${former}`, [
        ...moveColumn(schema, child!, former, column.name),
        renamedMeaning(schema, screen.name, ['fields', field.name, 'rows'], former, column),
      ]);
    }
  }
  return changes;
}

/** Moves a column in the catalogue. @returns the statements that do it in the database */
function moveColumn(schema: string, table: StoredTable, old: string, name: string): string[] {
  const at = `${quoted(schema)}.${quoted(table.name)}`;
  const column = table.columns.get(old)!;
  table.columns.delete(old);
  table.columns.set(name, { ...column, name });
  const sql = [`alter table ${at} rename column ${quoted(old)} to ${quoted(name)}`];
  // Rows without a value were there before it was required: they may stay.
  const [check, next] = [requiredCheck(table.name, old), requiredCheck(table.name, name)];
  const required = table.constraints.get(check);
  if (required) {
    table.constraints.delete(check);
    table.constraints.set(next, { ...required, name: next });
    sql.push(`alter table ${at} rename constraint ${quoted(check)} to ${quoted(next)}`);
  }
  return sql;
}

/** What was accepted of the old name is accepted of the new one. */
function renamedMeaning(schema: string, type: string, path: string[], old: string, { name, was = [] }: Field): string {
  const at = (field: string): string => literal(`{${[...path, field].join(',')}}`);
  return `update ${quoted(schema)}.schema_state set form = jsonb_set(form #- ${at(old)}, ${at(name)}, (form #> ${at(old)}) || ${literal(JSON.stringify({ was }))}::jsonb)
    where type = ${literal(type)} and form #> ${at(old)} is not null`;
}

function moveMeaning(fields: Record<string, FieldMeaning> | undefined, old: string, name: string): void {
  if (!fields?.[old]) return;
  fields[name] = fields[old];
  delete fields[old];
}

/** Where a client has named the field: rights on it, and how its forms show it. */
function elsewhere(
  schema: string,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  old: string,
  name: string,
): string[] {
  const s = quoted(schema);
  const settings = [...screens.values()].filter(({ overlay }) => overlay?.type === screen.name);
  return [
    ...(schema === 'public'
      ? []
      : [
          `update ${s}.field_right set field = ${literal(name)} where record_type = ${literal(screen.name)} and field = ${literal(old)}`,
        ]),
    ...settings.map(
      ({ name: type }) =>
        `do $do$ begin if to_regclass(${literal(`${s}.${quoted(type)}`)}) is not null then update ${s}.${quoted(type)} set field = ${literal(name)} where field = ${literal(old)}; end if; end $do$`,
    ),
  ];
}
