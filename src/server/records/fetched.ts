import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted, tableName } from '../db/names.ts';
import { Values, named } from './sql_text.ts';

type Row = Record<string, unknown>;
interface Wanted {
  into: Row;
  field: Field;
  from: Field;
  target: Screen;
  id: number;
}

/** A copied value may itself be a reference that others are copied from; so far that goes. */
const MOST_ROUNDS = 4;

/**
 * Copies what `x-fetch` names from the records that were just chosen, into fields that are empty: what a
 * person entered stays. One statement for each type copied from. True if anything was filled.
 */
export async function fillFetched(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  record: Row,
  stored: Row | null,
): Promise<boolean> {
  let filled = false;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const wanted: Wanted[] = [];
    collect(screen.fields, record, stored, screens, wanted);
    for (const field of screen.fields) {
      const rows = record[field.name];
      if (!field.rows || !Array.isArray(rows)) continue;
      const before = new Map(((stored?.[field.name] as Row[] | null | undefined) ?? []).map((row) => [row.id, row]));
      for (const row of rows as unknown[])
        if (row !== null && typeof row === 'object')
          collect(field.rows, row as Row, before.get((row as Row).id) ?? null, screens, wanted);
    }
    if (wanted.length === 0 || !(await fetchInto(session, wanted))) return filled;
    filled = true;
  }
  return filled;
}

function collect(fields: Field[], row: Row, before: Row | null, screens: Map<string, Screen>, wanted: Wanted[]): void {
  for (const field of fields) {
    const value = row[field.name];
    if (!field.fetch || (value !== null && value !== undefined)) continue;
    const id = row[field.fetch.via];
    if (!Number.isSafeInteger(id) || id === before?.[field.fetch.via]) continue;
    const target = screens.get(fields.find((one) => one.name === field.fetch!.via)?.ref?.type ?? '');
    const from = target?.fields.find((one) => one.name === field.fetch!.field);
    if (!target || !from || from.secret || from.masked || from.custom || from.rows) continue;
    wanted.push({ into: row, field, from, target, id: id as number });
  }
}

async function fetchInto(session: Session, wanted: Wanted[]): Promise<boolean> {
  const { schema, db } = session.tenant;
  let filled = false;
  await Promise.all(
    [...Map.groupBy(wanted, ({ target }) => target)].map(async ([target, items]) => {
      const values = new Values();
      const names = [...new Set(items.map(({ from }) => from.name))].sort();
      const ids = values.bind([...new Set(items.map(({ id }) => id))]);
      const company =
        target.scope === 'entity' ? ` and t.entity_id = any(${values.bind(session.entityIds)}::bigint[])` : '';
      const columns = names.map((name, at) => `, t.${quoted(name)} as "f${at}"`).join('');
      const rows = await db.query<Row>(
        named(
          `select t.id${columns} from ${tableName(schema, target.name)} t where t.id = any(${ids}::bigint[])${company}`,
          values.list,
        ),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { into, field, from, id } of items) {
        const value = byId.get(id)?.[`f${names.indexOf(from.name)}`];
        if (value === null || value === undefined) continue;
        into[field.name] = fieldType(field.type).clean?.(value, field) ?? value;
        filled = true;
      }
    }),
  );
  return filled;
}
