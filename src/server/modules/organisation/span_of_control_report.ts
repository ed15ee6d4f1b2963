import { Exact } from '../../../descriptor/exact.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName, treeTable } from '../../db/names.ts';
import { labelExpression, labels } from '../../db/columns.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { noteOfSight } from './people_in_sight.ts';

/** Units of people: the head of one is a manager. */
const HEADED = ['branch', 'department', 'subdepartment', 'function'];
const SHOWN = ['designation_id', 'department_id', 'branch_id'];

interface Manager extends ReportRow {
  direct: number;
  everyone: number;
  depth: number;
}

/**
 * Managers with their reportees. A manager has reportees or, without any, heads a unit of people or has a designation
 * to which another usually reports. Managers and reportees are those the reader may see; units and designations reveal
 * only that they name the person.
 */
const spanOfControl: ReportSource = {
  reads: {
    [PEOPLE]: SHOWN,
    designation: ['manager_designation_id'],
    ...Object.fromEntries(HEADED.map((type) => [type, ['head_id']])),
  },
  async rows(call) {
    const { session, screens, parameters, scoped } = call;
    const { db, schema } = session.tenant;
    const people = screens.get(PEOPLE)!;
    const values = new SqlParams();
    const where = ['e.active', `e.status <> 'left'`, ...scoped(PEOPLE, 'e', values)];
    const chosen = ['department_id', 'branch_id'].flatMap((name) =>
      parameters[name] === null ? [] : [`p.${name} = ${values.bind(parameters[name])}`],
    );
    const tree = treeTable(schema, PEOPLE);
    const manages = [
      'u.id is not null',
      `exists (select 1 from ${tree} t join ${tableName(schema, PEOPLE)} x on x.id = t.descendant_id where t.ancestor_id = p.id and t.depth = 1 and x.active)`,
      ...HEADED.map(
        (type) => `exists (select 1 from ${tableName(schema, type)} h where h.active and h.head_id = p.id)`,
      ),
      `exists (select 1 from ${tableName(schema, 'designation')} d where d.active and d.manager_designation_id = p.designation_id)`,
    ];
    const rows = await db.query<Manager>(
      preparedStatement(
        `with people as (select e.* from ${tableName(schema, PEOPLE)} e where ${where.join(' and ')}),
         under as (
           select t.ancestor_id as id, count(*) filter (where t.depth = 1)::int as direct, count(*)::int as everyone, max(t.depth)::int as depth
           from ${tree} t join people b on b.id = t.descendant_id where t.depth > 0 group by t.ancestor_id)
         select p.id as employee_id, ${labelExpression(people, 'p', { screens, schema })} as employee_id__label, ${SHOWN.map((name) => `p.${name}`).join(', ')},
           ${labels(
             screens,
             schema,
             people.fields.filter(({ name }) => SHOWN.includes(name)),
             'p',
           )
             .map((label) => `${label}, `)
             .join(
               '',
             )}coalesce(u.direct, 0) as direct, coalesce(u.everyone, 0) as everyone, coalesce(u.depth, 0) as depth
         from people p left join under u on u.id = p.id where ${[`(${manages.join(' or ')})`, ...chosen].join(' and ')} order by everyone desc, direct desc, employee_id__label, p.id`,
        values.list,
      ),
    );
    const leading = rows.filter(({ direct }) => direct > 0);
    const sum = leading.reduce((total, { direct }) => total + direct, 0);
    return {
      rows,
      figures: [
        { title: 'Managers', value: String(rows.length) },
        {
          title: 'Average span',
          value: leading.length === 0 ? '–' : new Exact(sum).div(leading.length).toFixed(1),
          note: 'direct reports of those who have any',
        },
        {
          title: 'Deepest',
          value: String(rows.reduce((max, { depth }) => Math.max(max, depth), 0)),
          note: 'levels below one manager',
        },
      ],
      ...noteOfSight(call),
    };
  },
};

export default spanOfControl;
