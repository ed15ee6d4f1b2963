import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';

const CHANGES = 'employee_history';

export default defineHooks({
  async check(session, record, stored, screens) {
    if (stored && stored.state !== 'planned')
      return [{ field: '', message: 'This change has been carried out and cannot be changed. Enter another one.' }];
    const people = screens.get(PEOPLE);
    const { employee_id: id, effective_from: from } = record;
    if (!people || typeof id !== 'number') return [];
    const { db, schema } = session.tenant;
    const values = new SqlParams();
    const person = values.bind(id);
    const [seen] = await db.query<{ status: string }>(
      preparedStatement(
        `select t.status from ${tableName(schema, PEOPLE)} t where t.id = ${person} and ${[...rowScope(session, people, screens as Map<string, typeof people>, 't', values), 'true'].join(' and ')}`,
        values.list,
      ),
    );
    if (!seen) return [{ field: 'employee_id', message: 'Choose a member you may change.' }];
    if (record.change === 'join') {
      if (seen.status !== 'left')
        return [{ field: 'employee_id', message: 'This person has not left. Choose another change.' }];
    } else if (seen.status === 'left')
      return [{ field: 'employee_id', message: 'This person has left. Have them rejoin first.' }];
    if (record.change === 'leave' && typeof record.reporting_to_id !== 'number') {
      const [alone] = await db.query<{ name: string; count: number }>(
        preparedStatement(
          `select e.name, (select count(*)::int from ${tableName(schema, PEOPLE)} r where r.reporting_to_id = e.id and r.active
             and r.status <> 'left') as count from ${tableName(schema, PEOPLE)} e where e.id = $1 and e.reporting_to_id is null`,
          [id],
        ),
      );
      if (alone && alone.count > 0)
        return [
          {
            field: 'reporting_to_id',
            message: `${alone.count === 1 ? 'One member reports' : `${alone.count} members report`} to ${alone.name}. Choose their new manager.`,
          },
        ];
    }
    if (typeof from !== 'string') return [];
    const [later] = await db.query<{ day: string }>(
      preparedStatement(
        `select max(effective_from)::text as day from ${tableName(schema, CHANGES)} where employee_id = $1 and change = $2 and state = 'done' and active and effective_from > $3 and id <> $4`,
        [id, record.change, from, stored?.id ?? 0],
      ),
    );
    return later?.day
      ? [{ field: 'effective_from', message: `A change from ${dayFirst(later.day)} exists. Choose a later day.` }]
      : [];
  },
});
