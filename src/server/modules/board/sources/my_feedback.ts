import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** Feedback on KPIs for the reader, latest first. */
const myFeedback: ReportSource = {
  reads: { tbl_emp_kpi_feedback_dtls: ['text', 'feedback_kind'] },
  async rows(call) {
    const { employeeId } = call.session;
    if (employeeId === null) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<{ given: string; kind: string; said: string }>(
      (
        values,
      ) => `select f.created_on::text as given, f.feedback_kind as kind, f.text as said from {tbl_emp_kpi_feedback_dtls} f
        where f.employee_id = ${values.bind(employeeId)} and ${reader.seen('tbl_emp_kpi_feedback_dtls', 'f', values)}
        order by f.created_on desc, f.id desc limit 5`,
    );
    return {
      rows: rows.map(({ given, kind, said }) => ({ given, kind, said })),
      opens: '/tbl_emp_kpi_feedback_dtls?mine=1',
    };
  },
};

export default myFeedback;
