import type { Field, FieldError, Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted, tableName } from '../db/names.ts';
import { holdsSeveral } from './columns.ts';
import { Values, named } from './sql_text.ts';

type Row = Record<string, unknown>;
interface Asked {
  path: string;
  field: Field;
  target: Screen;
  id: number;
  /** It was chosen before, so it may have been taken out of use since. */
  unchanged: boolean;
  filter: [string, unknown][];
}

/**
 * Checks every reference of a record in one statement: the record named exists, is in use, belongs to
 * the company and fits the field's filter, that is, the look-up would have offered it.
 */
export async function referenceErrors(session: Session, screen: Screen, screens: Map<string, Screen>, record: Row, stored: Row | null): Promise<FieldError[]> {
  const asked: Asked[] = [];
  collect(screen.fields, record, stored, '', record, stored ?? {}, screens, asked);
  for (const field of screen.fields) {
    if (!field.rows || !Array.isArray(record[field.name])) continue;
    const before = new Map(((stored?.[field.name] as Row[] | undefined) ?? []).map((row) => [row.id, row]));
    (record[field.name] as Row[]).forEach((row, index) => {
      const old = before.get(row.id) ?? null;
      collect(field.rows!, row, old, `${field.name}.${index}.`, { ...record, ...row }, { ...stored, ...old }, screens, asked);
    });
  }
  if (asked.length === 0) return [];
  // Rows of one field mostly ask the same of other ids: one part of the statement for all of them.
  const groups = [...Map.groupBy(asked, ({ target, field, unchanged, filter }) => JSON.stringify([target.name, field.ref!.acrossCompanies, unchanged, filter])).values()];
  const values = new Values();
  const { schema, db } = session.tenant;
  const parts = groups.map((group, at) => {
    const { target, unchanged, filter, field } = group[0]!;
    const where = [`t.id = any(${values.bind([...new Set(group.map(({ id }) => id))])}::bigint[])`];
    if (!unchanged) where.push('t.active');
    if (target.scope === 'entity') where.push(field.ref!.acrossCompanies ? `t.entity_id = any(${values.bind(session.entityIds)})` : `t.entity_id = ${values.bind(session.entityId)}`);
    for (const [name, value] of filter) where.push(has(target, name, values.bind(value)));
    return `select ${at} as at, t.id from ${tableName(schema, target.name)} t where ${where.join(' and ')}`;
  });
  const found = await db.query<{ at: number; id: number }>(named(parts.join(' union all '), values.list));
  const right = groups.map(() => new Set<number>());
  for (const { at, id } of found) right[at]!.add(id);
  const wrong = new Set(groups.flatMap((group, at) => group.filter(({ id }) => !right[at]!.has(id))));
  return asked.filter((one) => wrong.has(one)).map(({ path, field, target }) => ({ field: path, message: `Choose ${field.title} from the list: this ${target.title.toLowerCase()} is not there or cannot be used here.` }));
}

/** That a field is the value, or, where it holds several, has it among them. */
function has(target: Screen, name: string, value: string): string {
  return holdsSeveral(target, name) ? `${value} = any(t.${quoted(name)})` : `t.${quoted(name)} is not distinct from ${value}`;
}

function collect(fields: Field[], row: Row, before: Row | null, prefix: string, form: Row, formBefore: Row, screens: Map<string, Screen>, asked: Asked[]): void {
  for (const field of fields) {
    const target = field.ref && screens.get(field.ref.type);
    const value = row[field.name];
    if (!target || target.scope === 'platform' || value === null || value === undefined) continue;
    const sources = Object.entries(field.ref!.filter ?? {});
    const filter = sources.flatMap(([theirs, ours]): [string, unknown][] => (form[ours] === null || form[ours] === undefined ? [] : [[theirs, form[ours]]]));
    const fixed = Object.entries(field.ref!.fixed ?? {});
    const moved = sources.some(([, ours]) => JSON.stringify(form[ours] ?? null) !== JSON.stringify(formBefore[ours] ?? null));
    const old = before?.[field.name];
    for (const id of (Array.isArray(value) ? value : [value]) as number[]) {
      const unchanged = Array.isArray(old) ? old.includes(id) : old === id;
      // The choice stands as long as what it depends on stands.
      asked.push({ path: prefix + field.name, field, target, id, unchanged, filter: unchanged ? (moved ? filter : []) : [...filter, ...fixed] });
    }
  }
}
