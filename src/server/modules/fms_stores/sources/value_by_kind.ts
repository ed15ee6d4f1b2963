import type { ReportSource } from '../../../engine/reports/report_source.ts';
import stockReport from '../reports/stock_report.ts';

/** The levels, orders and goods in transit of single lines are not shown here. */
const { mr_transfer: _transit, purchase_order: _orders, ...reads } = stockReport.reads;

/** The value of today's stock by the kind of its place, as in the stock report. */
const valueByKind: ReportSource = {
  reads,
  async rows(call) {
    const branch = call.parameters.branch_id ?? null;
    const { rows } = await stockReport.rows({ ...call, parameters: { group_by: 'kind', branch_id: branch } });
    return {
      rows: rows.filter(({ value }) => Number(value) > 0),
      opens: `/mr_stock_report?group_by=kind${branch === null ? '' : `&branch_id=${String(branch as number)}`}`,
    };
  },
};

export default valueByKind;
