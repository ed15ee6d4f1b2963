import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

/**
 * Earlier workplaces of people, before the changes of demo/organisation/employee_history.json, by codes; their records
 * hold the current ones.
 */
const BEFORE = [
  { empno: 'L0188', department: 'ACC', designation: 'AXE' },
  { empno: 'L0015', designation: 'TEC' },
  { empno: 'L0058', branch: 'CHN' },
  { empno: 'L0109', branch: 'BLR' },
  { empno: 'L0131', department: 'CCR', designation: 'CCE' },
];

/** Adds the history of completed changes of members, with old and new values. */
export async function addPastChanges(db: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  const pair = (field: string, found: string) =>
    `'${field}', case when ${found}.id is not null then jsonb_build_array(${found}.id, h.${field}) end`;
  await db.query({
    text: `with changed as (
        insert into ${s}.history (record_type, record_id, entity_id, version, op, what, change)
        select 'employee', e.id, e.entity_id, e.version + 1, 'U', 'change ' || h.id, jsonb_strip_nulls(jsonb_build_object(${pair('branch_id', 'b')}, ${pair('department_id', 'd')}, ${pair('designation_id', 'g')}))
        from ${s}.employee_history h join ${s}.employee e on e.id = h.employee_id
        join jsonb_to_recordset($1::jsonb) as w(empno text, branch text, department text, designation text) on w.empno = e.empno
        left join ${s}.branch b on b.entity_id = e.entity_id and b.code = w.branch left join ${s}.department d on d.entity_id = e.entity_id and d.code = w.department
        left join ${s}.designation g on g.code = w.designation where h.state = 'done' order by h.effective_from returning record_id)
      update ${s}.employee e set version = e.version + 1 from changed where e.id = changed.record_id`,
    values: [JSON.stringify(BEFORE)],
  });
}
