import type { Module } from '../../engine/modules.ts';
import { allLines } from './actions/all_lines.ts';
import { leaveOutProblems } from './actions/leave_out_problems.ts';
import { askQuestions } from './effects/ask_questions.ts';
import { cancelContract } from './effects/cancel_contract.ts';
import { changeContract } from './effects/change_contract.ts';
import { contractStarted } from './effects/contract_started.ts';
import { closeLines } from './effects/close_lines.ts';
import { fillLift } from './effects/fill_lift.ts';
import { freeze } from './effects/freeze.ts';
import { listCover } from './effects/list_cover.ts';
import { makeRenewals } from './effects/make_renewals.ts';
import { openLines } from './effects/open_lines.ts';
import { priceYears } from './effects/price_years.ts';
import { score } from './effects/score.ts';
import { transferLifts } from './effects/transfer_lifts.ts';
import { unsafeAlarm } from './effects/unsafe_alarm.ts';
import { licencePapers } from './effects/licence_papers.ts';
import { warrantyContract } from './effects/warranty_contract.ts';
import {
  cancellationDays,
  cancellationDues,
  cancellationLastDay,
  cancellationPreview,
} from './fills/cancellation_preview.ts';
import { changePreview, changeTerms } from './fills/change_preview.ts';
import { inspectedLift } from './fills/inspected_lift.ts';
import { lineKind } from './fills/line_kind.ts';
import { lineTerms } from './fills/line_terms.ts';
import { renewalFloor } from './fills/renewal_floor.ts';
import { renewalLines, renewalRate } from './fills/renewal_lines.ts';
import { transferPreview } from './fills/transfer_preview.ts';
import { inspected } from './guards/inspected.ts';
import { mayInspect } from './guards/may_inspect.ts';
import { noOverlap } from './guards/no_overlap.ts';
import { noticeKept } from './guards/notice_kept.ts';
import { nothingOpen } from './guards/nothing_open.ts';
import { openDay } from './guards/open_day.ts';
import { ready } from './guards/ready.ts';
import { liftDates } from './jobs/lift_dates.ts';
import { quietCustomers } from './jobs/quiet_customers.ts';
import { renewalReminders } from './jobs/renewal_reminders.ts';
import { renewals } from './jobs/renewals.ts';
import { correctionClosed } from './results/may_correct.ts';
import { scoreAnswers } from './results/score_answers.ts';
import { UNEARNED } from './unearned.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'fms_contracts',
  figures: recordFigures,
  effects: {
    ask_questions: askQuestions,
    score,
    unsafe_alarm: unsafeAlarm,
    price_years: priceYears,
    fill_lift: fillLift,
    freeze,
    list_cover: listCover,
    open_lines: openLines,
    close_lines: closeLines,
    contract_started: contractStarted,
    change_contract: changeContract,
    cancel_contract: cancelContract,
    transfer_lifts: transferLifts,
    make_renewals: makeRenewals,
    licence_papers: licencePapers,
    warranty_contract: warrantyContract,
  },
  guards: {
    ready,
    inspected,
    may_inspect: mayInspect,
    nothing_open: nothingOpen,
    no_overlap: noOverlap,
    open_day: openDay,
    notice_kept: noticeKept,
  },
  actions: { all_lines: allLines, leave_out_problems: leaveOutProblems },
  jobs: { renewals, renewal_reminders: renewalReminders, lift_dates: liftDates, quiet_customers: quietCustomers },
  emits: { unearned: UNEARNED, transferred: { type: 'object' } },
  fills: {
    inspected_lift: inspectedLift,
    line_kind: lineKind,
    line_terms: lineTerms,
    change_terms: changeTerms,
    change_preview: changePreview,
    cancellation_days: cancellationDays,
    cancellation_dues: cancellationDues,
    cancellation_last_day: cancellationLastDay,
    cancellation_preview: cancellationPreview,
    transfer_preview: transferPreview,
    renewal_floor: renewalFloor,
    renewal_lines: renewalLines,
    renewal_rate: renewalRate,
  },
  answering: {
    tis_inspection: {
      closed: async (session, record) => {
        if (record.status === 'planned') return 'Start the inspection: the questions come from the survey type.';
        return record.status === 'submitted' ? correctionClosed(session, record) : null;
      },
      kept: scoreAnswers,
    },
  },
};
export default module;
