import type { TeamRating, TeamRatings } from '../../../../domain/performance/ratings.ts';
import { childTable, tableName } from '../../../db/names.ts';
import { preparedStatement } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { stateTitle } from '../../../engine/workflow/state_title.ts';
import { usualSchemeSql } from '../usual_scheme.ts';

interface Line extends Record<string, unknown> {
  parent_id: number;
  row: number;
  name: string;
  expected: number;
  self: number | null;
  manager: number | null;
}

/** The open appraisals of the reader's reportees, for rating them on one page. */
const teamRatings: ReportSource = {
  reads: { appraisal: ['rated_score', 'rated_band', 'kpi_score'] },
  async rows({ screens, session: { tenant, employeeId, entityId } }) {
    const table = (type: string) => tableName(tenant.schema, type);
    const rows = await tenant.db.query<
      Omit<TeamRating, 'competencies' | 'state'> & { status: string } & Record<string, unknown>
    >(
      preparedStatement(
        `select a.id, a.version, a.employee_id, e.name, p.name as period, a.status, a.kpi_score::text, a.rated_score::text, a.rated_band,
           a.status = 'manager_rating' as open
         from ${table('appraisal')} a join ${table('employee')} e on e.id = a.employee_id
         join ${table('appraisal_period')} p on p.id = a.period_id
         where a.manager_id = $1 and a.entity_id = $2 and a.active
           and a.status in ('not_started', 'self_rating', 'manager_rating', 'reviewed', 'moderation', 'final')
         order by e.name, a.id limit 200`,
        [employeeId, entityId],
      ),
    );
    const lines = await tenant.db.query<Line>(
      preparedStatement(
        // A member's self-assessment is visible only after its submission.
        `select l.parent_id, l.id as row, c.name, l.expected_level as expected, l.manager_level as manager,
           case when a.status not in ('not_started', 'self_rating') then l.self_level end as self
         from ${childTable(tenant.schema, 'appraisal', 'competency_lines')} l join ${table('competencies')} c on c.id = l.competency_id
         join ${table('appraisal')} a on a.id = l.parent_id where l.parent_id = any($1) order by l.parent_id, l.id`,
        [rows.map(({ id }) => id)],
      ),
    );
    const bands = await tenant.db.query<{ label: string }>(
      preparedStatement(
        `select b.label from ${childTable(tenant.schema, 'performance_rating', 'bands')} b
         where b.parent_id = ${usualSchemeSql(table('performance_rating'))} order by b.from_score`,
        [],
      ),
    );
    const widget: TeamRatings = {
      bands: bands.map(({ label }) => label),
      rows: rows.map(({ status, ...row }) => ({
        ...row,
        state: stateTitle(screens, 'appraisal', status),
        competencies: lines.filter(({ parent_id: id }) => id === row.id).map(({ parent_id: _parent, ...line }) => line),
      })),
    };
    return { rows: [], widget };
  },
};

export default teamRatings;
