import type { Module } from '../../engine/modules.ts';
import { accepted } from './effects/accepted.ts';
import { arrived } from './effects/arrived.ts';
import { assigned } from './effects/assigned.ts';
import { carCalled } from './effects/car_called.ts';
import { completed } from './effects/completed.ts';
import { declined } from './effects/declined.ts';
import { handedOver } from './effects/handed_over.ts';
import { mailReport } from './effects/mail_report.ts';
import { offered } from './effects/offered.ts';
import { paused } from './effects/paused.ts';
import { raised } from './effects/raised.ts';
import { released } from './effects/released.ts';
import { reopened } from './effects/reopened.ts';
import { resumed } from './effects/resumed.ts';
import { sendCode } from './effects/send_code.ts';
import { setOut } from './effects/set_out.ts';
import { signedOff } from './effects/signed_off.ts';
import { notifyCancelled } from './effects/notify_cancelled.ts';
import { notifyCustomer } from './effects/notify_customer.ts';
import { cover } from './fills/cover.ts';
import { kindOfCall } from './fills/kind_of_call.ts';
import { leader } from './fills/leader.ts';
import { misuse } from './fills/misuse.ts';
import { place } from './fills/place.ts';
import { priority } from './fills/priority.ts';
import { routeTeam } from './fills/route_team.ts';
import { typeOfTicket } from './fills/type_of_ticket.ts';
import { atTheBuilding } from './guards/at_the_building.ts';
import { mayBeAssigned } from './guards/may_be_assigned.ts';
import { mayPause } from './guards/may_pause.ts';
import { mayTake } from './guards/may_take.ts';
import { needs } from './guards/needs.ts';
import { notSealed } from './guards/not_sealed.ts';
import { signed } from './guards/signed.ts';
import { watchPauses } from './jobs/watch_pauses.ts';
import { escalate } from './subscribers/escalate.ts';
import { liftTransferred } from './subscribers/lift_transferred.ts';
import { offerNext } from './subscribers/offer_next.ts';
import { rescueStep } from './subscribers/rescue_step.ts';
import { acceptMinutes, respondMinutes, restoreMinutes } from './targets/promised.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'fms_tickets',
  figures: recordFigures,
  effects: {
    accepted,
    arrived,
    assigned,
    car_called: carCalled,
    completed,
    declined,
    handed_over: handedOver,
    mail_report: mailReport,
    offered,
    paused,
    raised,
    released,
    reopened,
    resumed,
    send_code: sendCode,
    set_out: setOut,
    signed_off: signedOff,
    notify_cancelled: notifyCancelled,
    notify_customer: notifyCustomer,
  },
  guards: {
    at_the_building: atTheBuilding,
    may_be_assigned: mayBeAssigned,
    may_pause: mayPause,
    may_take: mayTake,
    needs,
    not_sealed: notSealed,
    signed,
  },
  fills: {
    cover,
    kind_of_call: kindOfCall,
    leader,
    misuse,
    place,
    priority,
    route_team: routeTeam,
    type_of_ticket: typeOfTicket,
  },
  jobs: { watch_pauses: watchPauses },
  targets: { accept_minutes: acceptMinutes, respond_minutes: respondMinutes, restore_minutes: restoreMinutes },
  on: {
    'fms_contracts.transferred': liftTransferred,
    'fms_ticket.created': offerNext,
    'fms_ticket.confirm_call': offerNext,
    'fms_ticket.decline': offerNext,
    'fms_ticket.lapse': offerNext,
    'fms_ticket.accept_escalate': escalate('accept'),
    'fms_ticket.respond_escalate': escalate('respond'),
    'fms_ticket.restore_escalate': escalate('restore'),
    'fms_ticket.accept_rescue': rescueStep,
    'fms_ticket.respond_rescue': rescueStep,
    'fms_ticket.restore_rescue': rescueStep,
  },
};
export default module;
