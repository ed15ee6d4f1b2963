import { openTasks } from '../../../platform/calendar/open_tasks.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';

/** The reader's open work from all lists that they may open. */
const myWork: ReportSource = {
  reads: {},
  async rows({ session, screens }) {
    if (session.employeeId === null)
      return { rows: [], note: 'Your account is not linked to a member. Ask your administrator to link it.' };
    const tasks = await openTasks(session, screens, [session.employeeId]);
    return {
      rows: tasks
        .toSorted((a, b) => a.next.localeCompare(b.next))
        .map(({ title, open, late, next }) => ({ title, open, late, next })),
      opens: '/Calendar',
    };
  },
};

export default myWork;
