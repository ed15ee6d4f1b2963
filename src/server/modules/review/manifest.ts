import type { Module } from '../../engine/modules.ts';
import { lookNow } from './actions/look_now.ts';
import { lookAtKpis } from './jobs/look_at_kpis.ts';
import { mailStoreOrders } from './jobs/mail_store_orders.ts';
import sales from './sources/sales.ts';
import stock from './sources/stock.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'review',
  figures: recordFigures,
  actions: { look_now: lookNow },
  jobs: { look_at_kpis: lookAtKpis, mail_store_orders: mailStoreOrders },
  sources: { sales, stock },
};
export default module;
