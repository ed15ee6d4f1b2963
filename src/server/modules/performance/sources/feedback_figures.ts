import type { ReportCall, ReportRows, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import type { SqlParams } from '../../../db/sql_text.ts';

/** The days without feedback after which a member is listed, and the most members and authors listed. */
const QUIET_DAYS = 90;
const LISTED = 8;

/** Feedback that the reader may see, of the chosen department and days. */
function seenFeedback(call: ReportCall, reader: SourceReader, values: SqlParams): string {
  const { department_id: department, from, to } = call.parameters;
  return [
    reader.seen('tbl_emp_kpi_feedback_dtls', 'f', values),
    ...(typeof department === 'number' ? [`f.department_id = ${values.bind(department)}`] : []),
    ...(typeof from === 'string' ? [`f.created_on >= ${values.bind(from)}::date`] : []),
    ...(typeof to === 'string' ? [`f.created_on <= ${values.bind(to)}::date`] : []),
  ].join(' and ');
}

const QUERIES: Record<string, (call: ReportCall, reader: SourceReader) => Promise<object[]>> = {
  median: (call, reader) =>
    reader.query(
      (
        values,
      ) => `select round((percentile_cont(0.5) within group (order by f.answered_on - f.created_on))::numeric, 1)::text as days
        from {tbl_emp_kpi_feedback_dtls} f where f.answered_on is not null and ${seenFeedback(call, reader, values)}`,
    ),
  authors: (call, reader) =>
    reader.query(
      // Feedback that was imported may have no known author.
      (
        values,
      ) => `select coalesce(e.name, u.name, 'Not known') as author, count(*)::int as n from {tbl_emp_kpi_feedback_dtls} f
        left join {users} u on u.id = f.created_by left join {employee} e on e.id = u.employee_id
        where ${seenFeedback(call, reader, values)} group by 1 order by n desc, author limit ${LISTED}`,
    ),
  // Members with a sheet in force whom the reader may see.
  quiet: (call, reader) =>
    reader.query((values) => {
      const today = `${values.bind(call.today)}::date`;
      const { department_id: department } = call.parameters;
      return `select e.name as member, max(l.given)::text as last, s.employee_id from {kpi_sheet} s join {employee} e on e.id = s.employee_id
        left join (select f.employee_id, max(f.created_on) as given from {tbl_emp_kpi_feedback_dtls} f
          where ${reader.seen('tbl_emp_kpi_feedback_dtls', 'f', values)} group by 1) l on l.employee_id = e.id
        where s.status in ('approved', 'acknowledged', 'disputed') and ${today} between s.valid_from and s.valid_to
          and e.active and e.status <> 'left' and ${reader.seen('kpi_sheet', 's', values)}
          ${typeof department === 'number' ? `and s.department_id = ${values.bind(department)}` : ''}
          and (l.given is null or l.given < ${today} - ${QUIET_DAYS})
        group by e.name, s.employee_id order by max(l.given) nulls first, e.name limit ${LISTED}`;
    }),
};

/** How long answers take, who gives feedback, and who has had none for 90 days (performance.md §2.7). */
const feedbackFigures: ReportSource = {
  reads: { tbl_emp_kpi_feedback_dtls: ['answered_on'], kpi_sheet: [], employee: [] },
  async rows(call): Promise<ReportRows> {
    const query = QUERIES[String(call.args?.as)]!;
    return { rows: (await query(call, new SourceReader(call))) as ReportRows['rows'] };
  },
};

export default feedbackFigures;
