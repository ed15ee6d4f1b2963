import type { SqlParams } from '../../db/sql_text.ts';

/**
 * SQL for the lines of request `m` whose parts were needed by now: `due`, and `in_time`, those issued in full by then
 * (fill rate, 5.17).
 */
export const linesInTime = (values: SqlParams): string => `select count(*) as due, count(*) filter (where coalesce((
    select sum(i.qty) from {mr_issue.lines} i join {mr_issue} s on s.id = i.parent_id
    where i.mr_line = r.id and s.state <> 'draft' and s.issued_at <= m.needed_by), 0) >= r.approved_qty) as in_time
  from {mr.lines} r where r.parent_id = m.id and r.approved_qty > 0 and m.needed_by <= ${values.bind(new Date().toISOString())}::timestamptz
    and r.line_status not in ('requested', 'to_quote', 'quoted', 'refused')`;
