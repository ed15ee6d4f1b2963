import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** The reader's own open actions from meetings. */
const myActions: ReportSource = {
  reads: { chk_task_instance: ['title', 'due_on'] },
  async rows(call) {
    const { employeeId } = call.session;
    if (employeeId === null) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<{ task_id: number; what: string; meeting: string; due_on: string; late: boolean }>(
      (
        values,
      ) => `select t.id as task_id, t.title as what, t.origin_name as meeting, t.due_on::text, t.due_on < ${values.bind(call.today)}::date as late
        from {chk_task_instance} t where t.origin = 'meeting' and t.assignee_id = ${values.bind(employeeId)}
          and t.state in ('open', 'in_progress', 'waiting') and ${reader.seen('chk_task_instance', 't', values)} order by t.due_on, t.id limit 10`,
    );
    return { rows: rows.map(({ late, ...row }) => ({ ...row, standing: late ? 'late' : 'open' })) };
  },
};

export default myActions;
