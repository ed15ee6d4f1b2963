import { referrer } from '../../../descriptor/own_rows.ts';
import { filterField } from '../../../descriptor/filter.ts';
import type { RelatedGroup } from '../../../descriptor/makes.ts';
import { isPerson } from '../../../descriptor/serves_people.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { COUNT_CAP, conditions } from './list.ts';
import { parseListQuery } from './list_query.ts';
import { rowsOf } from './rows_of.ts';

interface Place {
  screen: Screen;
  /** The referring field, "rows_field.column" within child rows. */
  path: string;
  field: Field;
}

/**
 * The active records that refer to a record, by type and field, as the lists of these types show them to this person;
 * counted up to the cap of a list, all in one statement. Types without references have no group.
 */
export async function relatedGroups(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
): Promise<RelatedGroup[]> {
  const { schema, db } = session.tenant;
  const existing = await existingTables(db, schema);
  const places = screen.referredBy.flatMap(({ type, field: path }): Place[] => {
    const other = screens.get(type);
    const field = referrer(other, path);
    if (!other || !field || !filterField(other, path)) return [];
    if (!isRelation(screen, other, path, field) || !existing.has(path.includes('.') ? tableOfRows(other, path) : type))
      return [];
    if (other.scope === 'entity' && session.entityId === null) return [];
    return session.rights.refuse(other, 'landing') === null ? [{ screen: other, path, field }] : [];
  });
  if (places.length === 0) return [];
  const values = new SqlParams();
  const counts = places.map(({ screen: other, path }, at) => {
    const query = parseListQuery({ filter: JSON.stringify([path, 'in', [id]]) }, other);
    const where = conditions(session, other, screens, query, values).join(' and ');
    const rows = rowsOf(session, other, screens, 't', values);
    return `select ${at} as at, (select count(*)::int from (select 1 from ${rows} where ${where} limit ${COUNT_CAP + 1}) x) as count`;
  });
  const found = await db.query<{ at: number; count: number }>(
    preparedStatement(counts.join(' union all '), values.list),
  );
  return found
    .filter(({ count }) => count > 0)
    .map(({ at, count }) => {
      const { screen: other, path, field } = places[at]!;
      return {
        type: other.name,
        title: other.plural,
        field: path,
        by: field.title,
        count: Math.min(count, COUNT_CAP),
        capped: count > COUNT_CAP,
      };
    })
    .sort((a, b) => a.title.localeCompare(b.title) || a.by.localeCompare(b.by));
}

const tableOfRows = ({ name }: Screen, path: string): string => `${name}__${path.split('.')[0]!}`;

/** Whether a field describes the record it refers to: not its own rows, nor author stamps. */
function isRelation(screen: Screen, other: Screen, path: string, field: Field): boolean {
  if (!other.routes.landing || other.kind === 'settings' || other.kind === 'view') return false;
  if (other.part?.of === screen.name && other.part.by === path) return false;
  return !(isPerson(screen) && field.readOnly);
}
