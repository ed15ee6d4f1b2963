import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { linesInTime } from '../lines_in_time.ts';
import { addDays } from '../request_day.ts';

/** The days before today whose requests count. */
const DAYS = 90;

/** The lines of requests that were issued in full by when they were needed, of those that were needed by now. */
const fillRate: ReportSource = {
  reads: { mr: ['lines'], mr_issue: ['lines'] },
  async rows(call) {
    const { session, parameters, today } = call;
    const reader = new SourceReader(call);
    const from = addDays(today, -DAYS);
    const branch = parameters.branch_id ?? null;
    const [row] = await reader.query<{ in_time: number; due: number }>(
      (values) => `select coalesce(sum(o.in_time), 0)::int as in_time, coalesce(sum(o.due), 0)::int as due
        from {mr} m left join lateral (${linesInTime(values)}) o on true
        where ${reader.seen('mr', 'm', values)} and m.entity_id = ${values.bind(session.entityId)}
          and m.mr_date between ${values.bind(from)}::date and ${values.bind(today)}::date
          ${branch === null ? '' : `and m.branch_id = ${values.bind(branch)}`}`,
    );
    return {
      rows: row!.due === 0 ? [] : [{ ...row! }],
      opens: `/reports/fms_stores/mr_turnaround?from=${from}${branch === null ? '' : `&branch_id=${String(branch as number)}`}`,
    };
  },
};

export default fillRate;
