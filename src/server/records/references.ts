import type { Field, FieldError, Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted, tableName } from '../db/names.ts';
import { Values, named } from './sql_text.ts';

type Row = Record<string, unknown>;
interface Asked {
  path: string;
  field: Field;
  target: Screen;
  id: number;
  unchanged: boolean;
  filter: [string, unknown][];
}

/**
 * Checks every reference of a record in one statement: the record named exists, is in use, belongs to
 * the company and fits the field's filter, that is, the look-up would have offered it.
 */
export async function referenceErrors(session: Session, screen: Screen, screens: Map<string, Screen>, record: Row, stored: Row | null): Promise<FieldError[]> {
  const asked: Asked[] = [];
  collect(screen.fields, record, stored, '', record, screens, asked);
  for (const field of screen.fields) {
    if (!field.rows || !Array.isArray(record[field.name])) continue;
    const before = new Map(((stored?.[field.name] as Row[] | undefined) ?? []).map((row) => [row.id, row]));
    (record[field.name] as Row[]).forEach((row, index) => collect(field.rows!, row, before.get(row.id) ?? null, `${field.name}.${index}.`, { ...record, ...row }, screens, asked));
  }
  if (asked.length === 0) return [];
  const values = new Values();
  const { schema, db } = session.tenant;
  const parts = asked.map(({ target, id, unchanged, filter, field }, at) => {
    const where = [`t.id = ${values.bind(id)}`];
    if (!unchanged) where.push('t.active');
    if (target.scope === 'entity') where.push(field.ref!.acrossCompanies ? `t.entity_id = any(${values.bind(session.entityIds)})` : `t.entity_id = ${values.bind(session.entityId)}`);
    for (const [name, value] of unchanged ? [] : filter) where.push(`t.${quoted(name)} is not distinct from ${values.bind(value)}`);
    return `select ${at} as at where exists (select 1 from ${tableName(schema, target.name)} t where ${where.join(' and ')})`;
  });
  const found = await db.query<{ at: number }>(named(parts.join(' union all '), values.list));
  const right = new Set(found.map((row) => row.at));
  return asked.flatMap(({ path, field, target }, at) => (right.has(at) ? [] : [{ field: path, message: `Choose ${field.title} from the list: this ${target.title.toLowerCase()} is not there or cannot be used here.` }]));
}

function collect(fields: Field[], row: Row, before: Row | null, prefix: string, form: Row, screens: Map<string, Screen>, asked: Asked[]): void {
  for (const field of fields) {
    const target = field.ref && screens.get(field.ref.type);
    const value = row[field.name];
    if (!target || target.scope === 'platform' || value === null || value === undefined) continue;
    const filter = Object.entries(field.ref!.filter ?? {}).flatMap(([theirs, ours]): [string, unknown][] => (form[ours] === null || form[ours] === undefined ? [] : [[theirs, form[ours]]]));
    const old = before?.[field.name];
    const ids = (Array.isArray(value) ? value : [value]) as number[];
    for (const id of ids) asked.push({ path: prefix + field.name, field, target, id, unchanged: Array.isArray(old) ? old.includes(id) : old === id, filter });
  }
}
