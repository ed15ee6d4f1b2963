import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { ofBranch } from '../reports/warehouse_reports.ts';
import { placeOf } from '../../../services/clock/client_day.ts';

/** The transfers that have been in transit for more days than the settings allow. */
const lateTransfers: ReportSource = {
  reads: { mr_transfer: ['state'], stock_point: [], storage_location: [], site_mstr: [], fms_stores_setting: [] },
  async rows(call) {
    const { session, parameters, today } = call;
    const reader = new SourceReader(call);
    const branch = parameters.branch_id ?? null;
    const [row] = await reader.query<{ transfers: number; days: number }>(
      (
        values,
      ) => `select count(*) filter (where x.days > x.most)::int as transfers, coalesce(min(x.most), 0)::int as days
        from (select ${values.bind(today)}::date - (t.dispatched_at at time zone ${values.bind(placeOf(session).timezone)})::date as days,
              coalesce((select transit_alert_days from {fms_stores_setting} order by id limit 1), 5) as most
            from {mr_transfer} t
            where ${reader.seen('mr_transfer', 't', values)} and t.entity_id = ${values.bind(session.entityId)} and t.active
              and t.state in ('dispatched', 'part_received', 'differing', 'loss_submitted')
              ${branch === null ? '' : `and ${ofBranch('t', values.bind(branch))}`}) x`,
    );
    return {
      rows: [{ transfers: row!.transfers }],
      opens: `/reports/fms_stores/in_transit?days=${row!.days + 1}${branch === null ? '' : `&branch_id=${String(branch as number)}`}`,
    };
  },
};

export default lateTransfers;
