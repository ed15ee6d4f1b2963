import type { ReportRow } from '../../../domain/report.ts';
import { childTable, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { labelExpression } from '../../db/columns.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { noteOfSight } from './people_in_sight.ts';

/** The names of each level of the report. */
const LEVELS: Record<string, string> = { department_id: 'department', employee_id: PEOPLE };

interface Sum {
  competency_id: number | null;
  label: string | null;
  gap: string | null;
  people: number;
  below: number;
}

/**
 * Required against assessed competencies: by department and competency, the average number of missing levels of people
 * whose designation requires it. Averages, unlike counts, compare a department of five with one of fifty. A surplus
 * counts as no gap, so it does not offset another person's gap.
 */
const competencyGap: ReportSource = {
  reads: {
    [PEOPLE]: ['skills', 'department_id', 'designation_id', 'status'],
    designation: ['competencies'],
    competencies: ['skillsgroup_id'],
    skillsgroup: [],
    department: [],
  },
  async rows(call) {
    const { session, screens, parameters, by, within, scoped } = call;
    const { db, schema } = session.tenant;
    const [people, designations] = [screens.get(PEOPLE)!, screens.get('designation')!];
    const seen =
      people.fields.some(({ name, masked }) => name === 'skills' && !masked) &&
      designations.fields.some(({ name, masked }) => name === 'competencies' && !masked);
    if (!seen)
      return { rows: [], note: 'Skills of members or required competencies of designations are not in use here.' };
    const gaps = (values: SqlParams) => {
      const equal = (column: string, name: string) =>
        parameters[name] === null ? [] : [`${column} = ${values.bind(parameters[name])}`];
      const who = [
        'e.active',
        `e.status <> 'left'`,
        ...scoped(PEOPLE, 'e', values),
        ...equal('e.department_id', 'department_id'),
        ...equal('e.designation_id', 'designation_id'),
      ];
      const what = ['true', ...equal('c.skillsgroup_id', 'skillsgroup_id'), ...equal('c.id', 'competency_id')];
      return `people as (select e.id, e.department_id, e.designation_id from ${tableName(schema, PEOPLE)} e where ${who.join(' and ')}),
        levels as (
          select distinct on (s.parent_id, s.competency_id) s.parent_id, s.competency_id, s.level
          from ${childTable(schema, PEOPLE, 'skills')} s join people p on p.id = s.parent_id order by s.parent_id, s.competency_id, s.assessed_on desc nulls last, s.level desc),
        gaps as (
          select p.department_id, p.id as employee_id, r.competency_id, greatest(r.required_level - coalesce(l.level, 0), 0) as gap
          from people p join ${childTable(schema, 'designation', 'competencies')} r on r.parent_id = p.designation_id
          join ${tableName(schema, 'competencies')} c on c.id = r.competency_id
          left join levels l on l.parent_id = p.id and l.competency_id = r.competency_id where ${what.join(' and ')})`;
    };
    const figures = `count(distinct employee_id)::int as people, count(distinct employee_id) filter (where gap > 0)::int as below, round(avg(gap), 1)::text as gap`;

    const values = new SqlParams();
    const cells = gaps(values);
    const opened = Object.entries(within).map(([name, value]) => {
      if (typeof value !== 'number')
        throw new AppError(400, 'bad_request', 'Open a row of the report.', { field: 'within' });
      return `g.${name} = ${values.bind(value)}`;
    });
    const key = by.map((name) => `g.${name}`).join(', ');
    const order = by.map((name) => `${name}__label, ${name}`).join(', ');
    const names = by
      .map(
        (name) =>
          `(select ${labelExpression(screens.get(LEVELS[name]!)!, 'l', { screens, schema })} from ${tableName(schema, LEVELS[name]!)} l where l.id = g.${name}) as ${name}__label`,
      )
      .join(', ');
    const wide = new SqlParams();
    const [rows, sums] = await Promise.all([
      db.query<ReportRow>(
        preparedStatement(
          `with ${cells}, chosen as (select * from gaps g where ${['true', ...opened].join(' and ')}),
           heads as (select ${key}, ${figures} from chosen g group by ${key})
           select ${key}, ${names}, h.people, h.below, h.gap as average, g.competency_id, round(avg(g.gap), 1)::text as gap
           from chosen g join heads h on ${by.map((name) => `h.${name} is not distinct from g.${name}`).join(' and ')}
           group by ${key}, h.people, h.below, h.gap, g.competency_id order by ${order}`,
          values.list,
        ),
      ),
      db.query<Sum>(
        preparedStatement(
          `with ${gaps(wide)}, sums as (select competency_id, ${figures} from gaps group by grouping sets ((competency_id), ()))
           select s.*, ${labelExpression(screens.get('competencies')!, 'c', { screens, schema })} as label from sums s left join ${tableName(schema, 'competencies')} c on c.id = s.competency_id
           left join ${tableName(schema, 'skillsgroup')} k on k.id = c.skillsgroup_id order by k.name, k.id, c.name, c.id`,
          wide.list,
        ),
      ),
    ]);
    const all = sums.find(({ competency_id: id }) => id === null)!;
    const each = sums.filter(({ competency_id: id }) => id !== null);
    return {
      rows,
      pivot: each.map(({ competency_id: id, label }) => ({ value: String(id), title: label ?? '' })),
      totals: {
        people: all.people,
        below: all.below,
        average: all.gap,
        ...Object.fromEntries(each.map(({ competency_id: id, gap }) => [`${id}.gap`, gap])),
      },
      figures: [
        { title: 'People', value: String(all.people), note: 'whose designation requires something' },
        { title: 'Below the level', value: String(all.below), note: 'in at least one competency' },
        { title: 'Average gap', value: all.gap ?? '–', note: 'levels' },
      ],
      note: [
        'Average number of levels missing, of the people whose designation requires the competency. Who has not been assessed counts as level 0.',
        noteOfSight(call).note ?? [],
      ]
        .flat()
        .join(' '),
    };
  },
};

export default competencyGap;
