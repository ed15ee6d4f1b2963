import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/**
 * The condition that the reader may see the papers of the meeting `g` of the unit `u`: those of confidential meetings are for
 * members of the unit and the secretary of the meeting.
 */
export function maySeePapers({ session }: ReportCall, values: SqlParams): string {
  return `(g.confidential is not true or ${values.bind(session.userId)}::bigint = any(u.member_user_ids)
    or g.secretary_id = ${values.bind(session.employeeId)}::bigint)`;
}
