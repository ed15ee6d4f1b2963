import type { Module } from '../../engine/modules.ts';
import { holdPlanned, makeBills, makeChosenBills, releasePlanned } from './actions/make_bills.ts';
import { proposeAllocationAction } from './actions/propose_allocation.ts';
import { applyNote } from './effects/apply_note.ts';
import { billPlanned } from './effects/bill_planned.ts';
import { chargeBounce, giveBackAdvance } from './effects/bounce.ts';
import { eInvoiceFile, readEInvoice } from './effects/e_invoice.ts';
import { fillStatement } from './effects/fill_statement.ts';
import { invoiceProformas } from './effects/invoice_proformas.ts';
import { listInstalments } from './effects/list_instalments.ts';
import { narrate } from './effects/narrate.ts';
import { clearSlips, markSlipEffect, payIn } from './effects/pay_in.ts';
import { planBills } from './effects/plan_bills.ts';
import { bankAccount } from './fills/bank_account.ts';
import { billSending } from './fills/bill_sending.ts';
import { billTax } from './fills/bill_tax.ts';
import { mayCancel } from './guards/may_cancel.ts';
import { mayPost } from './guards/may_post.ts';
import { deductionsAllowed, periodOpen, receiptComplete, receiptDated, slipsFree } from './guards/receipt_complete.ts';
import { useFits, withinOutstanding } from './guards/within_outstanding.ts';
import { billsDue } from './jobs/bills_due.ts';
import { dunning } from './jobs/dunning.ts';
import { monthEndDues } from './jobs/month_end_dues.ts';
import { noteDeadline } from './jobs/note_deadline.ts';
import { receiptsWatch } from './jobs/receipts_watch.ts';
import { statements } from './jobs/statements.ts';
import { tdsCertificates } from './jobs/tds_certificates.ts';
import { exchangeNote } from './subscribers/exchange_note.ts';
import { netDues } from './subscribers/net_dues.ts';
import { partsOrderBill } from './subscribers/parts_order_bill.ts';
import { unearnedMoney } from './subscribers/unearned.ts';
import ageing from './sources/ageing.ts';
import outstanding from './sources/outstanding.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'fms_money',
  figures: recordFigures,
  sources: { ageing, outstanding },
  fills: { bill_tax: billTax, bill_sending: billSending, bank_account: bankAccount },
  guards: {
    may_post: mayPost,
    may_cancel: mayCancel,
    within_outstanding: withinOutstanding,
    use_fits: useFits,
    receipt_complete: receiptComplete,
    deductions_allowed: deductionsAllowed,
    receipt_dated: receiptDated,
    period_open: periodOpen,
    slips_free: slipsFree,
  },
  effects: {
    bill_planned: billPlanned,
    apply_note: applyNote,
    plan_bills: planBills,
    list_instalments: listInstalments,
    pay_in: payIn,
    clear_slips: clearSlips,
    mark_slip: markSlipEffect,
    give_back_advance: giveBackAdvance,
    charge_bounce: chargeBounce,
    fill_statement: fillStatement,
    e_invoice_file: eInvoiceFile,
    read_e_invoice: readEInvoice,
    invoice_proformas: invoiceProformas,
    narrate,
  },
  actions: {
    make_bills: makeBills,
    make_chosen_bills: makeChosenBills,
    hold_planned: holdPlanned,
    release_planned: releasePlanned,
    propose_allocation: proposeAllocationAction,
  },
  jobs: {
    bills_due: billsDue,
    dunning,
    month_end_dues: monthEndDues,
    note_deadline: noteDeadline,
    receipts_watch: receiptsWatch,
    statements,
    tds_certificates: tdsCertificates,
  },
  on: {
    'billing.post': netDues,
    'fms_contracts.unearned': unearnedMoney,
    'fms_requests.billable': partsOrderBill,
    'fms_requests.cards_received': exchangeNote,
  },
};
export default module;
