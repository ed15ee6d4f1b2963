import type { Module } from '../../engine/modules.ts';
import { fillDues } from './actions/fill_dues.ts';
import { showPlan } from './actions/show_plan.ts';
import { unpackKits } from './actions/unpack_kits.ts';
import { chargeLoan } from './effects/charge_loan.ts';
import { freezeCover } from './effects/freeze_cover.ts';
import { askForBill, exchangeDue, releaseLines, takeBackLines } from './effects/order_steps.ts';
import { prepareApproval } from './effects/prepare_approval.ts';
import { linesQuoted, linesRefused, linesToQuote, makeOrder } from './effects/quotation_steps.ts';
import { partsBack, partsInspected, partsRepaired } from './effects/parts_back.ts';
import { issueCorrected, partsIssued } from './effects/parts_issued.ts';
import { partsUsed } from './effects/parts_used.ts';
import { release } from './effects/release.ts';
import { partsFreed, partsReserved, planSupply, shortClose } from './effects/supply_steps.ts';
import { partsOnTicket, ticketGoesOn, ticketWaits } from './effects/ticket_steps.ts';
import { withdrawRequest } from './effects/withdraw_request.ts';
import { chosenCover, coverFill } from './fills/cover.ts';
import { exchangeCredit } from './fills/exchange_credit.ts';
import { indentFor, issuedFor, quotedFor, returnedOf } from './fills/issued_for.ts';
import { kitAndCover } from './fills/kit_and_cover.ts';
import { ownRequest } from './fills/own_request.ts';
import { quotationFigures } from './fills/quotation_figures.ts';
import { supplyTerms } from './fills/supply_terms.ts';
import { itemsFit } from './guards/items_fit.ts';
import { mayCover } from './guards/may_cover.ts';
import { mayIssue } from './guards/may_issue.ts';
import { mayReceive } from './guards/may_receive.ts';
import { mayUse } from './guards/may_use.ts';
import { quotationComplete } from './guards/quotation_complete.ts';
import { readyToSubmit } from './guards/ready_to_submit.ts';
import { remindRequests } from './jobs/remind_requests.ts';
import { withdrawCredits } from './jobs/withdraw_credits.ts';
import fillRate from './sources/fill_rate.ts';
import stageAgeing from './sources/stage_ageing.ts';
import { neededMinutes } from './targets/needed_minutes.ts';
import { cardsBilled } from './subscribers/cards_billed.ts';
import { reservationsExpired } from './subscribers/reservations_expired.ts';
import { reservedOnArrival } from './subscribers/reserved_on_arrival.ts';

const module: Module = {
  name: 'fms_requests',
  targets: { needed_minutes: neededMinutes },
  effects: {
    prepare_approval: prepareApproval,
    freeze_cover: freezeCover,
    release,
    withdraw: withdrawRequest,
    release_lines: releaseLines,
    ask_for_bill: askForBill,
    exchange_due: exchangeDue,
    take_back_lines: takeBackLines,
    lines_quoted: linesQuoted,
    lines_refused: linesRefused,
    lines_to_quote: linesToQuote,
    make_order: makeOrder,
    plan_supply: planSupply,
    parts_reserved: partsReserved,
    parts_freed: partsFreed,
    short_close: shortClose,
    charge_loan: chargeLoan,
    parts_issued: partsIssued,
    issue_corrected: issueCorrected,
    parts_used: partsUsed,
    parts_on_ticket: partsOnTicket,
    ticket_waits: ticketWaits,
    ticket_goes_on: ticketGoesOn,
    parts_back: partsBack,
    parts_inspected: partsInspected,
    parts_repaired: partsRepaired,
  },
  guards: {
    ready_to_submit: readyToSubmit,
    may_cover: mayCover,
    items_fit: itemsFit,
    quotation_complete: quotationComplete,
    may_issue: mayIssue,
    may_use: mayUse,
    may_receive: mayReceive,
  },
  fills: {
    cover: coverFill,
    chosen_cover: chosenCover,
    own_request: ownRequest,
    supply_terms: supplyTerms,
    quotation_figures: quotationFigures,
    indent_for: indentFor,
    issued_for: issuedFor,
    quoted_for: quotedFor,
    returned_of: returnedOf,
    kit_and_cover: kitAndCover,
    exchange_credit: exchangeCredit,
  },
  jobs: { remind_requests: remindRequests, withdraw_credits: withdrawCredits },
  actions: { fill_dues: fillDues, plan: showPlan, unpack_kits: unpackKits },
  on: {
    'grn.post': reservedOnArrival,
    'billing.post': cardsBilled,
    'fms_stores.reservations_expired': reservationsExpired,
  },
  sources: { fill_rate: fillRate, stage_ageing: stageAgeing },
  emits: {
    cards_received: {
      type: 'object',
      required: ['mr_contract_id'],
      properties: { mr_contract_id: { type: 'integer' } },
    },
    billable: {
      type: 'object',
      required: ['mr_contract_id', 'lines'],
      properties: {
        mr_contract_id: { type: 'integer' },
        customer_id: { type: ['integer', 'null'] },
        lines: { type: 'array', items: { type: 'object' } },
      },
    },
  },
};
export default module;
