import type { Module } from '../../engine/modules.ts';
import { lookNow } from './actions/look_now.ts';
import { lookAtKpis } from './jobs/look_at_kpis.ts';
import sales from './sources/sales.ts';
import stock from './sources/stock.ts';
import { personFigures } from './person_figures.ts';

const module: Module = {
  name: 'review',
  figures: personFigures,
  actions: { look_now: lookNow },
  jobs: { look_at_kpis: lookAtKpis },
  sources: { sales, stock },
};
export default module;
