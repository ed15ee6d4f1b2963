import type { ReportRow } from '../../../../domain/report.ts';
import { quoted } from '../../../db/names.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** The states in which a request waits for somebody, in their order. */
const WAITING = ['submitted', 'on_hold', 'commercially_approved', 'approved', 'in_supply'];

/** Open requests by their state and the days for which they have been in it. */
const stageAgeing: ReportSource = {
  reads: { mr: ['state'] },
  async rows(call) {
    const { session, parameters } = call;
    const reader = new SourceReader(call);
    const branch = parameters.branch_id ?? null;
    const rows = await reader.query<ReportRow>(
      (
        values,
      ) => `select state as stage, count(*) filter (where days < 1)::int as day, count(*) filter (where days >= 1 and days < 3)::int as three_days,
          count(*) filter (where days >= 3 and days < 7)::int as week, count(*) filter (where days >= 7)::int as older
        from (select m.state, extract(epoch from now() - coalesce((
              select max(l.at) from ${quoted(session.tenant.schema)}.transition_log l
              where l.record_type = 'mr' and l.record_id = m.id and l.from_state <> l.to_state), m.created_at)) / 86400 as days
          from {mr} m where ${reader.seen('mr', 'm', values)} and m.entity_id = ${values.bind(session.entityId)}
            and m.state = any(${values.bind(WAITING)}::text[]) ${branch === null ? '' : `and m.branch_id = ${values.bind(branch)}`}) x
        group by state order by array_position(${values.bind(WAITING)}::text[], state)`,
    );
    return { rows };
  },
};

export default stageAgeing;
