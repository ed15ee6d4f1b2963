import type { Module } from '../../engine/modules.ts';
import { lookNow } from './actions/look_now.ts';
import { lookAtKpis } from './jobs/look_at_kpis.ts';
import sales from './sources/sales.ts';
import stock from './sources/stock.ts';

const module: Module = {
  name: 'review',
  actions: { look_now: lookNow },
  jobs: { look_at_kpis: lookAtKpis },
  sources: { sales, stock },
};
export default module;
