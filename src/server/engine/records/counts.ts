import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted } from '../../db/names.ts';
import { filterCondition } from './filter_sql.ts';
import { rowsOf } from './rows_of.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/**
 * The number of active records that refer to the record `alias`, as a sub-select: it is only evaluated for the rows of
 * a page. Of company records, those of the current company.
 */
export function countSql(
  { count }: Field,
  alias: string,
  session: Session,
  screens: Map<string, Screen>,
  values: SqlParams,
): string {
  const { of, by, several, filter } = count!;
  const {
    tenant: { schema },
    entityId,
  } = session;
  const other = screens.get(of);
  if (!other) return '0';
  const [first, inner] = by.split('.') as [string, string | undefined];
  const refers = (table: string, column: string) =>
    several ? `${table}.${quoted(column)} @> array[${alias}.id]` : `${table}.${quoted(column)} = ${alias}.id`;
  const where = [
    'r.active',
    inner === undefined
      ? refers('r', first)
      : `r.id in (select c.parent_id from ${childTable(schema, of, first)} c where ${refers('c', inner)})`,
  ];
  if (other.scope === 'entity' && entityId !== null) where.push(`r.entity_id = ${values.bind(entityId)}`);
  if (filter) where.push(filterCondition(filter, other, screens, schema, 'r', values));
  return `(select count(*)::int from ${rowsOf(session, other, screens, 'r', values)} where ${where.join(' and ')})`;
}
