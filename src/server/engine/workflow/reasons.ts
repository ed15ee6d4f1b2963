import { formatValue } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { companyOf } from '../../access/rights/scope.ts';

/** A reason that can be chosen. */
export interface OfferedReason {
  id: number;
  label: string;
  /** It requires a remark. */
  remark: boolean;
}

/** The active reasons for a transition; everybody who may take the transition sees them. */
export async function reasonsFor(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  { workflow }: Screen,
  { reasonUse }: Transition,
): Promise<OfferedReason[]> {
  const source = workflow?.reasons;
  const type = source && screens.get(source.type);
  if (!source || !type || reasonUse === undefined) return [];
  const use = type.fields.find(({ name }) => name === source.use)!;
  const column = `t.${quoted(use.name)}`;
  const order = type.sort.flatMap((name) => {
    const plain = name.replace(/^-/, '');
    return type.fields.some((field) => field.name === plain)
      ? [`t.${quoted(plain)}${name.startsWith('-') ? ' desc' : ''}`]
      : [];
  });
  const rows = await session.tenant.db.query<Record<string, unknown> & { id: number }>(
    preparedStatement(
      `select t.* from ${tableName(session.tenant.schema, type.name)} t
       where t.active and ${use.type === 'enum' ? `${column} = $1` : `$1 = any(${column})`}${type.scope === 'entity' ? ' and t.entity_id = $2' : ''}
       order by ${[...order, 't.id'].join(', ')}`,
      [reasonUse, ...(type.scope === 'entity' ? [companyOf(session)] : [])],
    ),
  );
  // The code of a reason means nothing to people.
  const labels = type.label.flatMap((name) => type.fields.find((field) => field.name === name) ?? []);
  const words = labels.filter((field) => field.type !== 'code');
  return rows.map((row) => ({
    id: row.id,
    label: (words.length > 0 ? words : labels).map((field) => formatValue(field, row[field.name], row)).join(' · '),
    remark: source.remark !== undefined && row[source.remark] === true,
  }));
}
