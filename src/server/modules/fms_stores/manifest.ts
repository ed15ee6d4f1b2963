import type { Module } from '../../engine/modules.ts';
import { expectedLines } from './actions/expected_lines.ts';
import { leaveOutStock } from './actions/leave_out_stock.ts';
import { proposeReorder } from './actions/propose_reorder.ts';
import { adjust } from './effects/adjust.ts';
import { closeMonth, reopenMonth } from './effects/close_month.ts';
import { countSheet, countedVariance, endCount, postCount } from './effects/count.ts';
import { extendBatch } from './effects/extend_batch.ts';
import { dispatch } from './effects/dispatch.ts';
import { receive } from './effects/receive.ts';
import { release, reserve } from './effects/reserve.ts';
import { resolveTransfer } from './effects/resolve_transfer.ts';
import { sellLent } from './effects/sell_lent.ts';
import { stock } from './effects/stock.ts';
import { stockNo } from './effects/stock_no.ts';
import { takeReserved } from './effects/take_reserved.ts';
import { mayExtend } from './guards/may_extend.ts';
import { adjustmentWorth } from './fills/adjustment_worth.ts';
import { consignment } from './fills/consignment.ts';
import { exchangeRate } from './fills/exchange_rate.ts';
import { itemGst } from './fills/item_gst.ts';
import { landedCost } from './fills/landed_cost.ts';
import { transferLoss } from './fills/transfer_loss.ts';
import { abc } from './jobs/abc.ts';
import { blockExpired } from './jobs/block_expired.ts';
import { countsDue } from './jobs/counts_due.ts';
import { expireReservations } from './jobs/expire_reservations.ts';
import { reorder } from './jobs/reorder.ts';
import { stockCheck } from './jobs/stock_check.ts';
import { watchStores } from './jobs/watch_stores.ts';
import { transitMinutes } from './targets/transit_minutes.ts';
import { memberLeaves } from './subscribers/member_leaves.ts';
import lateTransfers from './sources/late_transfers.ts';
import valueByKind from './sources/value_by_kind.ts';

const module: Module = {
  name: 'fms_stores',
  targets: { transit_minutes: transitMinutes },
  effects: {
    stock,
    reserve,
    release,
    stock_no: stockNo,
    adjust,
    close_month: closeMonth,
    reopen_month: reopenMonth,
    dispatch,
    receive,
    resolve_transfer: resolveTransfer,
    count_sheet: countSheet,
    count_variance: countedVariance,
    post_count: postCount,
    end_count: endCount,
    extend_batch: extendBatch,
    take_reserved: takeReserved,
    sell_lent: sellLent,
  },
  guards: { may_extend: mayExtend },
  fills: {
    adjustment_worth: adjustmentWorth,
    consignment,
    item_gst: itemGst,
    exchange_rate: exchangeRate,
    landed_cost: landedCost,
    transfer_loss: transferLoss,
  },
  jobs: {
    stock_check: stockCheck,
    expire_reservations: expireReservations,
    block_expired: blockExpired,
    abc,
    counts_due: countsDue,
    reorder,
    watch: watchStores,
  },
  sources: { late_transfers: lateTransfers, value_by_kind: valueByKind },
  emits: {
    reservations_expired: {
      type: 'object',
      required: ['lines'],
      properties: { lines: { type: 'array', items: { type: 'integer' } } },
    },
  },
  on: { 'employee.changed': memberLeaves },
  actions: { expected_lines: expectedLines, propose_reorder: proposeReorder, leave_out_stock: leaveOutStock },
};
export default module;
