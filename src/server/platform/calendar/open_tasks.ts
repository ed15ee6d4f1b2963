import type { Screen } from '../../../descriptor/types.ts';
import type { OpenTask } from '../../../domain/open_task.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { openSources, sourceSql } from '../escalation/sources.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { recordZoneSql } from '../../services/clock/zones.ts';

/** A person's open tasks of one kind. */
export interface TaskOfPerson extends OpenTask {
  employee_id: number;
}

/**
 * The open work of people, from the due dates in descriptors and the people responsible. Counts only records that the
 * caller may see, in lists that they may open.
 */
export async function openTasks(
  session: Session,
  screens: Map<string, Screen>,
  employeeIds: number[],
): Promise<TaskOfPerson[]> {
  const { db, schema } = session.tenant;
  const sources = openSources(screens).filter(({ screen }) => session.rights.refuse(screen, 'landing') === null);
  if (sources.length === 0 || employeeIds.length === 0) return [];
  const there = new Set(
    (
      await db.query<{ name: string }>(
        'select name from unnest($1::text[]) as t(name) where to_regclass(name) is not null',
        [sources.map(({ screen }) => tableName(schema, screen.name))],
      )
    ).map(({ name }) => name),
  );
  const values = new SqlParams();
  const people = `${values.bind(employeeIds)}::bigint[]`;
  const { zones } = placeOf(session);
  const found = sources.filter(({ screen }) => there.has(tableName(schema, screen.name)));
  if (found.length === 0) return [];
  const parts = found.map((source, at) => {
    const { from, date, open, people: parties } = sourceSql(source, screens, schema, values);
    const today = `(now() at time zone ${recordZoneSql(source.screen, 'r', zones, values)})::date`;
    const where = [open, `${date} is not null`, ...rowScope(session, source.screen, screens, 'r', values)];
    return `select ${at} as at, employee_id, count(*)::int as open, count(*) filter (where day < today)::int as late, min(day)::text as next
      from (select (${parties} ->> 'assignee')::bigint as employee_id, ${date} as day, ${today} as today from ${from} where ${where.join(' and ')}) as t${at} where employee_id = any(${people}) group by employee_id`;
  });
  const rows = await db.query<{ at: number } & Pick<TaskOfPerson, 'employee_id' | 'open' | 'late' | 'next'>>(
    parts.join(' union all '),
    values.list,
  );
  return rows.map(({ at, ...row }) => {
    const {
      screen,
      title,
      people: { assignee = '' },
    } = found[at]!;
    const filter =
      assignee.includes('.') || screen.fields.find(({ name }) => name === assignee)?.ref?.type !== 'employee'
        ? ''
        : `?filter=${encodeURIComponent(JSON.stringify([assignee, 'eq', row.employee_id]))}`;
    return { ...row, type: screen.name, title, route: `${screen.routes.landing}${filter}` };
  });
}
