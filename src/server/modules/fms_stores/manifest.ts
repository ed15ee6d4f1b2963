import type { Module } from '../../engine/modules.ts';
import { adjust } from './effects/adjust.ts';
import { closeMonth, reopenMonth } from './effects/close_month.ts';
import { release, reserve } from './effects/reserve.ts';
import { stock } from './effects/stock.ts';
import { stockNo } from './effects/stock_no.ts';

const module: Module = {
  name: 'fms_stores',
  effects: {
    stock,
    reserve,
    release,
    stock_no: stockNo,
    adjust,
    close_month: closeMonth,
    reopen_month: reopenMonth,
  },
};
export default module;
