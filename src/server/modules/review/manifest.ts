import type { Module } from '../../engine/modules.ts';
import { lookNow } from './actions/look_now.ts';
import { subscribe, unsubscribe } from './actions/subscribe.ts';
import { lookAtKpis } from './jobs/look_at_kpis.ts';
import { mailStoreOrders } from './jobs/mail_store_orders.ts';
import bots from './sources/bots.ts';
import sales from './sources/sales.ts';
import stock from './sources/stock.ts';
import { recordFigures } from './record_figures.ts';
import { figureApproved } from './subscribers/figure_approved.ts';

const module: Module = {
  name: 'review',
  figures: recordFigures,
  actions: { look_now: lookNow, subscribe, unsubscribe },
  jobs: { look_at_kpis: lookAtKpis, mail_store_orders: mailStoreOrders },
  sources: { bots, sales, stock },
  on: { 'kpi_actual.approve': figureApproved },
};
export default module;
