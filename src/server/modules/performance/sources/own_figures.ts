import { tableName } from '../../../db/names.ts';
import { preparedStatement } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';

/** Counts for a tile of the reader's own KPIs; `$1` is the person, `$2` today. */
const FIGURES: Record<string, (table: (type: string) => string) => string> = {
  due: (table) => `select count(*)::int as n from ${table('kpi_actual')}
    where (responsible_id = $1 or (responsible_id is null and employee_id = $1)) and active and status in ('to_enter', 'returned') and opens_on <= $2::date`,
  score: (table) => `select score::text as n from ${table('kpi_score')}
    where employee_id = $1 and active and score is not null and month <= left($2, 7) order by month desc limit 1`,
  waiting: (table) => `select ((select count(*) from ${table('kpi_actual')}
      where manager_id = $1 and active and status = 'submitted' and coalesce(responsible_id, employee_id) <> $1)
    + (select count(*) from ${table('appraisal')}
      where waiting_for_id = $1 and active and employee_id <> $1 and $2 <> ''))::int as n`,
  feedback: (table) => `select count(*)::int as n from ${table('tbl_emp_kpi_feedback_dtls')}
    where employee_id = $1 and active and status = 'open' and visibility is distinct from 'manager_only' and $2 <> ''`,
};

/** Figures of the reader's own work: updates to enter, last score, pending decisions, feedback to answer. */
const ownFigures: ReportSource = {
  reads: { kpi_actual: [], kpi_score: ['score'] },
  async rows({ session, args, today }) {
    const { tenant, employeeId } = session;
    const text = FIGURES[String(args?.what)];
    if (!text || employeeId === null) return { rows: [{ n: null }] };
    // The tables of lists that nobody has opened yet do not exist.
    const [there] = await tenant.db.query<{ all: boolean }>(
      preparedStatement('select bool_and(to_regclass(name) is not null) as "all" from unnest($1::text[]) t(name)', [
        ['appraisal', 'tbl_emp_kpi_feedback_dtls'].map((type) => tableName(tenant.schema, type)),
      ]),
    );
    if (!there!.all) return { rows: [{ n: '0' }] };
    const rows = await tenant.db.query<{ n: number | string }>(
      preparedStatement(
        text((type) => tableName(tenant.schema, type)),
        [employeeId, today],
      ),
    );
    return { rows: rows.length === 0 ? [{ n: null }] : rows.map(({ n }) => ({ n: String(n) })) };
  },
};

export default ownFigures;
