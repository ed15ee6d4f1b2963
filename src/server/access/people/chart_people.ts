import type { Screen } from '../../../descriptor/types.ts';
import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { rowScope } from '../rights/scope.ts';
import type { LiveSession } from '../sessions/session_store.ts';
import { PEOPLE } from './people.ts';

const SCORES = 'kpi_score';
export const VACANCIES = 'org_vacancy';

/** The types that the chart reads. */
export const CHART_TYPES = [PEOPLE, VACANCIES, SCORES];

type Found = ChartPerson & Record<string, unknown>;

/** Whether somebody sees scores of others at all. */
export function seesScores({ rights }: LiveSession, own: ReadonlyMap<string, Screen>): boolean {
  const scores = own.get(SCORES);
  return (
    scores !== undefined &&
    rights.refuse(scores, 'landing') === null &&
    scores.fields.some(({ name, masked }) => name === 'score' && !masked)
  );
}

/** Everybody of the company with whom they report to, with the latest score as far as the reader may see it, and empty posts. */
export async function chartPeople(
  session: LiveSession,
  company: number,
  own: Map<string, Screen>,
): Promise<ChartPerson[]> {
  const { tenant } = session;
  const table = (type: string) => tableName(tenant.schema, type);
  const values = new SqlParams();
  const scores = own.get(SCORES);
  const score =
    scores && seesScores(session, own)
      ? `left join lateral (select s.score, s.band from ${table(SCORES)} s where s.employee_id = e.id and s.score is not null and s.active
        and ${rowScope(session, scores, own, 's', values).join(' and ') || 'true'} order by s.month desc limit 1) k on true`
      : 'cross join (select null::numeric as score, null::text as band) k';
  const rows = await tenant.db.query<Found>(
    preparedStatement(
      `select e.id, e.reporting_to_id as parent, e.name, e.empno, d.name as designation, t.name as department, b.name as branch,
         e.date_of_joining::text as joined, e.status, coalesce(e.dotted_line_ids, '{}') as dotted, k.score::float8 as score, k.band, e.version,
         0 as wanted
       from ${table(PEOPLE)} e left join ${table('designation')} d on d.id = e.designation_id
       left join ${table('department')} t on t.id = e.department_id left join ${table('branch')} b on b.id = e.branch_id ${score}
       where e.entity_id = ${values.bind(company)} and e.active and e.status <> 'left'
       order by d.name nulls last, e.name`,
      values.list,
    ),
  );
  const vacancies = await tenant.db.query<Found>(
    preparedStatement(
      `select -v.id as id, v.manager_id as parent, 'Vacant' as name, '' as empno, d.name as designation, t.name as department,
         b.name as branch, v.needed_from::text as joined, 'vacant' as status, '{}'::bigint[] as dotted, null::float8 as score,
         null as band, v.version, v.wanted
       from ${table(VACANCIES)} v join ${table('designation')} d on d.id = v.designation_id
       join ${table('department')} t on t.id = v.department_id left join ${table('branch')} b on b.id = v.branch_id
       where v.entity_id = $1 and v.active order by d.name, v.id`,
      [company],
    ),
  );
  return [...rows, ...vacancies];
}
