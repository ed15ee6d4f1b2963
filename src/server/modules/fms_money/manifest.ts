import type { Module } from '../../engine/modules.ts';
import { holdPlanned, makeBills, makeChosenBills, releasePlanned } from './actions/make_bills.ts';
import { applyNote } from './effects/apply_note.ts';
import { billPlanned } from './effects/bill_planned.ts';
import { billSending } from './fills/bill_sending.ts';
import { billTax } from './fills/bill_tax.ts';
import { mayCancel } from './guards/may_cancel.ts';
import { mayPost } from './guards/may_post.ts';

const module: Module = {
  name: 'fms_money',
  fills: { bill_tax: billTax, bill_sending: billSending },
  guards: { may_post: mayPost, may_cancel: mayCancel },
  effects: { bill_planned: billPlanned, apply_note: applyNote },
  actions: {
    make_bills: makeBills,
    make_chosen_bills: makeChosenBills,
    hold_planned: holdPlanned,
    release_planned: releasePlanned,
  },
};
export default module;
