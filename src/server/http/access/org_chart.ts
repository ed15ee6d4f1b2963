import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import { notFound } from '../../db/errors.ts';

const SCORES = 'kpi_score';
const VACANCIES = 'org_vacancy';

/** The whole chart of the company at once: who reports to whom, empty posts, and scores as far as the reader may see them. */
export async function orgChartRoutes(
  app: FastifyInstance,
  { store, tenantScreens }: { store: ScreenStore; tenantScreens: TenantScreens },
): Promise<void> {
  async function chart({ session: given }: FastifyRequest): Promise<object> {
    const session = given as LiveSession;
    const own = tenantScreens.of(session);
    const people = own.get(PEOPLE);
    if (!people || session.tenant.schema === 'public' || session.entityId === null) throw notFound();
    const { tenant, rights } = session;
    await ensureTables(tenant, store.screens(), [PEOPLE, VACANCIES, SCORES]);
    const table = (type: string) => tableName(tenant.schema, type);
    const values = new SqlParams();
    const scores = own.get(SCORES);
    const seesScores =
      scores !== undefined &&
      rights.refuse(scores, 'landing') === null &&
      scores.fields.some(({ name, masked }) => name === 'score' && !masked);
    const score = seesScores
      ? `left join lateral (select s.score, s.band from ${table(SCORES)} s where s.employee_id = e.id and s.score is not null and s.active
          and ${rowScope(session, scores, own, 's', values).join(' and ') || 'true'} order by s.month desc limit 1) k on true`
      : 'cross join (select null::numeric as score, null::text as band) k';
    const rows = await tenant.db.query<ChartPerson & Record<string, unknown>>(
      preparedStatement(
        `select e.id, e.reporting_to_id as parent, e.name, e.empno, d.name as designation, t.name as department, b.name as branch,
           e.date_of_joining::text as joined, e.status, coalesce(e.dotted_line_ids, '{}') as dotted, k.score::float8 as score, k.band, e.version,
           0 as wanted
         from ${table(PEOPLE)} e left join ${table('designation')} d on d.id = e.designation_id
         left join ${table('department')} t on t.id = e.department_id left join ${table('branch')} b on b.id = e.branch_id ${score}
         where e.entity_id = ${values.bind(session.entityId)} and e.active and e.status <> 'left'
         order by d.name nulls last, e.name`,
        values.list,
      ),
    );
    const vacancies = await tenant.db.query<ChartPerson & Record<string, unknown>>(
      preparedStatement(
        `select -v.id as id, v.manager_id as parent, 'Vacant' as name, '' as empno, d.name as designation, t.name as department,
           b.name as branch, v.needed_from::text as joined, 'vacant' as status, '{}'::bigint[] as dotted, null::float8 as score,
           null as band, v.version, v.wanted
         from ${table(VACANCIES)} v join ${table('designation')} d on d.id = v.designation_id
         join ${table('department')} t on t.id = v.department_id left join ${table('branch')} b on b.id = v.branch_id
         where v.entity_id = $1 and v.active order by d.name, v.id`,
        [session.entityId],
      ),
    );
    const isManager =
      rights.refuse(people, 'edit_screen') === null &&
      rights.refuseAction(people.access.action) === null &&
      rights.refuseAction('MANAGE_ORG') === null;
    return {
      data: {
        people: [...rows, ...vacancies],
        me: session.employeeId,
        may_move: isManager,
        sees_scores: seesScores,
        opens_people: rights.refuse(people, 'view_screen') === null,
      },
    };
  }

  for (const prefix of ['/tapi', '/api']) app.get(`${prefix}/organisation_chart`, chart);
}
