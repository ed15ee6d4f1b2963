import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** The reader's own development plans in progress. */
const myPlans: ReportSource = {
  reads: { idp: ['goal', 'progress'] },
  async rows(call) {
    const { employeeId } = call.session;
    if (employeeId === null) return { rows: [] };
    const reader = new SourceReader(call);
    const plans = await reader.query<{ plan: string; state: string; progress: string | null }>(
      (
        values,
      ) => `select coalesce(p.goal, p.plan_no) as plan, replace(p.status, '_', ' ') as state, p.progress::text from {idp} p
        where p.employee_id = ${values.bind(employeeId)} and p.status not in ('completed', 'cancelled') and ${reader.seen('idp', 'p', values)}
        order by p.period_to limit 8`,
    );
    return {
      rows: plans.map(({ plan, state, progress }) => ({ plan, state, progress: Number(progress ?? 0) })),
      opens: '/idp?mine=1',
    };
  },
};

export default myPlans;
