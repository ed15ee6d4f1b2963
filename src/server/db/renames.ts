import type { Field, Screen } from '../../descriptor/types.ts';
import type { Catalogue, StoredTable } from './catalogue.ts';
import type { FieldMeaning, Meaning } from './meaning.ts';
import { bareTable, constraintName, literal, quoted, requiredCheck } from './names.ts';
import { renameEverywhere } from './named_fields.ts';
import type { Change } from './change.ts';

/** The name under which a field is stored, if it differs from its own. */
function formerName(
  field: Field,
  fields: readonly Field[],
  stored: (name: string) => boolean,
  before: Record<string, FieldMeaning> | undefined,
): string | undefined {
  if (stored(field.name)) return undefined;
  // A descriptor that is reverted finds its values under the name that should have followed.
  const later = Object.entries(before ?? {}).flatMap(([name, { was }]) => (was?.includes(field.name) ? [name] : []));
  return [...(field.was ?? []), ...later].find((name) => stored(name) && !fields.some((other) => other.name === name));
}

/**
 * Renamed fields (`"was"`): columns and tables of child rows keep their data. The catalogue is updated as if it had
 * been done, so that the rest of the plan uses the new names.
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
  const rename = (field: string, table: string, old: string, sql: string[], after?: Change): void => {
    changes.push({
      type: screen.name,
      field,
      table,
      what: `rename ${screen.name}.${old} to ${field}`,
      sql,
      rename: true,
      follow: (on) => renameEverywhere(on, schema, screen, screens, old, field),
      ...(after && { after }),
    });
  };

  for (const field of screen.fields) {
    if (!field.rows) {
      const old = formerName(field, screen.fields, (name) => main.columns.has(name), before?.fields);
      if (old === undefined) continue;
      moveMeaning(before?.fields, old, field.name);
      const inSettings = settingsFollow(schema, screen, screens, old, field.name);
      changes.push(...inSettings.refusable);
      rename(
        field.name,
        main.name,
        old,
        [
          ...moveColumn(schema, main, old, field.name),
          ...inSettings.sql,
          renamedMeaning(schema, screen.name, ['fields'], old, field),
        ],
        inSettings.refusable.at(-1),
      );
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
      const inSettings = settingsFollow(schema, screen, screens, old, field.name);
      changes.push(...inSettings.refusable);
      rename(
        field.name,
        name,
        old,
        [
          `alter table ${quoted(schema)}.${quoted(table.name)} rename to ${quoted(name)}`,
          ...inSettings.sql,
          renamedMeaning(schema, screen.name, ['fields'], old, field),
        ],
        inSettings.refusable.at(-1),
      );
    }
    const child = current.tables.get(name);
    const meant = before?.fields[field.name]?.rows;
    for (const column of child ? field.rows : []) {
      const former = formerName(column, field.rows, (one) => child!.columns.has(one), meant);
      if (former === undefined) continue;
      moveMeaning(meant, former, column.name);
      const inSettings = settingsFollow(schema, screen, screens, former, column.name, field.name);
      changes.push(...inSettings.refusable);
      rename(
        `${field.name}.${column.name}`,
        name,
        `${field.name}.${former}`,
        [
          ...moveColumn(schema, child!, former, column.name),
          ...inSettings.sql,
          renamedMeaning(schema, screen.name, ['fields', field.name, 'rows'], former, column),
        ],
        inSettings.refusable.at(-1),
      );
    }
  }
  return changes;
}

/** Renames a column in the catalogue. @returns the statements that do it in the database */
function moveColumn(schema: string, table: StoredTable, old: string, name: string): string[] {
  const at = `${quoted(schema)}.${quoted(table.name)}`;
  const column = table.columns.get(old)!;
  table.columns.delete(old);
  table.columns.set(name, { ...column, name });
  const sql = [`alter table ${at} rename column ${quoted(old)} to ${quoted(name)}`];
  // Rows without a value existed before it was required: they may stay.
  const [check, next] = [requiredCheck(table.name, old), requiredCheck(table.name, name)];
  const required = table.constraints.get(check);
  if (required) {
    table.constraints.delete(check);
    table.constraints.set(next, { ...required, name: next });
    sql.push(`alter table ${at} rename constraint ${quoted(check)} to ${quoted(next)}`);
  }
  return sql;
}

/** The accepted meaning of the old name applies to the new one. */
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

/**
 * A client's customisation of the field (`overlay`) moves to its new name. If the overlay's descriptor does not offer
 * that name, the renaming is refused: a hidden or masked field would become visible.
 */
function settingsFollow(
  schema: string,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  old: string,
  name: string,
  rows: string | null = null,
): { sql: string[]; refusable: Change[] } {
  const sql: string[] = [];
  const refusable: Change[] = [];
  const within = rows === null ? '' : `${rows}.`;
  for (const settings of screens.values()) {
    const of = settings.overlay?.targets.find(({ type, rows: table }) => type === screen.name && table === rows);
    if (!of) continue;
    // The column "of" comes only with the second type; before, all settings are of the first.
    const isOf = `coalesce(to_jsonb(t)->>'of', ${literal(settings.overlay!.targets[0]!.name)}) = ${literal(of.name)}`;
    const table = `${quoted(schema)}.${quoted(settings.name)}`;
    const offers = settings.fields.find((one) => one.name === 'field')?.options?.some(({ value }) => value === name);
    if (offers) {
      // A check with only the old name is recreated by the plan of the overlay type.
      const update = `update ${table} t set field = ${literal(name)} where field = ${literal(old)} and ${isOf}`;
      const check = quoted(constraintName(settings.name, ['field'], 'check'));
      sql.push(
        `do $do$ begin if to_regclass(${literal(table)}) is not null then begin ${update}; exception when check_violation then alter table ${table} drop constraint ${check}; ${update}; end; end if; end $do$`,
      );
      continue;
    }
    refusable.push({
      type: screen.name,
      field: `${within}${name}`,
      table: settings.name,
      what: `rename ${screen.name}.${within}${old} to ${within}${name}`,
      sql: [],
      destructive: {
        reason: `${settings.plural} of a client name it, and schemas/${settings.folder}/${settings.name}.json offers no "${name}"`,
        command: `Write "${name}" in place of "${old}" into the values of "field" there.`,
        count: async (on) => {
          const [found] = await on.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
          if (!found?.there) return { affected: 0, examples: [] };
          const rows = await on.query(`select 1 from ${table} t where field = $1 and ${isOf}`, [old]);
          return { affected: rows.length, examples: [] };
        },
        meanwhile: [],
      },
    });
  }
  return { sql, refusable };
}
