import type { Module } from '../../engine/modules.ts';
import { planMonthAction } from './actions/plan_month.ts';
import { cancelVisits } from './effects/cancel_visits.ts';
import { makeTicket } from './effects/make_ticket.ts';
import { noteMove } from './effects/note_move.ts';
import { noteSkip } from './effects/note_skip.ts';
import { planVisits } from './effects/plan_visits.ts';
import { visitDone } from './effects/visit_done.ts';
import { visitReturned } from './effects/visit_returned.ts';
import { mayBeReleased } from './guards/may_be_released.ts';
import { mayWorkThen } from './guards/may_work_then.ts';
import { attendanceGap } from './jobs/attendance_gap.ts';
import { liftMonths } from './jobs/lift_months.ts';
import { makeVisits } from './jobs/make_visits.ts';
import { releaseVisits } from './jobs/release_visits.ts';
import { shiftVisits } from './jobs/shift_visits.ts';
import { watchVisits } from './jobs/watch_visits.ts';
import { buildingMoved, liftMoved } from './subscribers/lift_moved.ts';
import { leaveApproved } from './subscribers/leave_approved.ts';
import { lineGoesOn } from './subscribers/line_goes_on.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'fms_visits',
  figures: recordFigures,
  effects: {
    cancel_visits: cancelVisits,
    make_ticket: makeTicket,
    note_move: noteMove,
    note_skip: noteSkip,
    plan_visits: planVisits,
    visit_done: visitDone,
    visit_returned: visitReturned,
  },
  guards: { may_be_released: mayBeReleased, may_work_then: mayWorkThen },
  actions: { plan_month: planMonthAction },
  jobs: {
    attendance_gap: attendanceGap,
    lift_months: liftMonths,
    make_visits: makeVisits,
    release_visits: releaseVisits,
    shift_visits: shiftVisits,
    watch_visits: watchVisits,
  },
  on: {
    'fms_contracts.unearned': lineGoesOn,
    'building.changed': buildingMoved,
    'fms_contracts.transferred': liftMoved,
    'leave.approve': leaveApproved,
    'leave.change_end': leaveApproved,
  },
};
export default module;
