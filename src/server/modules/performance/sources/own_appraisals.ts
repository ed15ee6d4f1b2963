import { tableName } from '../../../db/names.ts';
import { preparedStatement } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { stateTitle } from '../../../engine/workflow/state_title.ts';

interface Own extends Record<string, unknown> {
  period: string;
  status: string;
  kpis: string | null;
  rating: string | null;
  score: string | null;
  increment: string | null;
  until: string | null;
}

const percent = (value: string | null): string | null => (value === null ? null : `${Number(value)} %`);

/** The reader's own appraisals, with the released part of their results. */
const ownAppraisals: ReportSource = {
  reads: { appraisal: ['kpi_score', 'band', 'final_score', 'increment_percent'] },
  async rows({ screens, session: { tenant, employeeId } }) {
    const table = (type: string) => tableName(tenant.schema, type);
    const shown = (flag: string, value: string) =>
      `case when a.status in ('released', 'acknowledged', 'appealed', 'closed') and a.${flag} then a.${value}::text end`;
    const rows = await tenant.db.query<Own>(
      preparedStatement(
        `select p.name as period, a.status, a.kpi_score::text as kpis, ${shown('shows_rating', 'band')} as rating,
           ${shown('shows_score', 'final_score')} as score, ${shown('shows_increment', 'increment_percent')} as increment,
           case when a.status = 'released' then a.acknowledge_by::text end as until
         from ${table('appraisal')} a join ${table('appraisal_period')} p on p.id = a.period_id
         where a.employee_id = $1 and a.active and a.status <> 'excluded' order by p.starts_on desc, a.id desc limit 20`,
        [employeeId],
      ),
    );
    return {
      rows: rows.map(({ status, increment, ...row }) => ({
        ...row,
        increment: percent(increment),
        state: stateTitle(screens, 'appraisal', status),
      })),
    };
  },
};

export default ownAppraisals;
