interface Channels {
  inApp: boolean;
  mail: boolean;
  push: boolean;
}

interface CallEvent {
  code: string;
  name: string;
  title: string;
  body: string;
  module?: string;
  severity?: 'success' | 'warning' | 'error';
  canMute?: boolean;
  channels?: Channels;
}

const CALL = '{building}, lift {lift}\n{address}\n\n{category}: {description}';

/** What people learn of calls for lifts. A rescue cannot be muted. */
export function liftCallEvents<Made>(event: (given: CallEvent) => Made, all: Channels, both: Channels): Made[] {
  const push: Channels = { inApp: true, mail: false, push: true };
  const of = (given: CallEvent) => event({ module: 'fms', channels: push, ...given });
  const rescue = (given: CallEvent) => of({ severity: 'error', canMute: false, channels: all, ...given });
  return [
    of({
      code: 'fms.assigned',
      name: 'You have a new ticket for a lift',
      title: '{priority} {building}: {category}',
      body: `${CALL}\n\n{number} is assigned to you. Accept or decline it.`,
    }),
    of({
      code: 'fms.taken_away',
      name: 'A ticket for a lift was reassigned',
      title: '{number} is no longer yours',
      body: 'You do not need to go to {building}, lift {lift}.',
    }),
    of({
      code: 'fms.offered',
      name: 'A call is offered to all',
      title: 'Who can go? {building}: {category}',
      body: `${CALL}\n\nThe first to accept {number} goes.`,
    }),
    of({
      code: 'fms.accepted',
      name: 'A technician has accepted a call',
      channels: { inApp: true, mail: false, push: false },
      severity: 'success',
      title: '{technician} is going to {building}',
      body: '{technician} has accepted {number}, lift {lift}.',
    }),
    of({
      code: 'fms.declined',
      name: 'A technician has declined a call',
      severity: 'warning',
      title: '{technician} is not going to {building}',
      body: '{number}, lift {lift}: {reason}',
    }),
    of({
      code: 'fms.unassigned',
      name: 'No technician is available for a call',
      severity: 'error',
      title: 'Nobody is going to {building}',
      body: 'No technician on duty is available for {number}, lift {lift}. Choose somebody on the board.',
    }),
    of({
      code: 'fms.escalated',
      name: 'The time for a call is running out',
      severity: 'warning',
      channels: all,
      title: '{number}: {percent} % of the time for {clock} is used',
      body: `${CALL}\n\n{percent} % of the time promised for {clock} of {number} is used.`,
    }),
    of({
      code: 'fms.paused',
      name: 'Work at a lift is paused',
      title: '{number} is paused: {reason}',
      body: 'Work at {building}, lift {lift} is paused: {reason}.',
    }),
    of({
      code: 'fms.pause_long',
      name: 'A pause has lasted too long',
      severity: 'warning',
      channels: both,
      title: '{number} is paused for more than {hours} h',
      body: '{building}, lift {lift}: "{reason}" may last {hours} h. Resume the work, or enter why it takes longer.',
    }),
    of({
      code: 'fms.customer_comment',
      name: 'A customer commented on the work at a lift',
      severity: 'warning',
      title: '{number}: {comment}',
      body: '{building}, lift {lift}: the customer said "{comment}" at the sign-off of {number}.',
    }),
    of({
      code: 'fms.shut_down',
      name: 'A lift is shut down for safety',
      severity: 'error',
      channels: all,
      title: 'Shut down: lift {lift}, {building}',
      body: '{technician} shut it down ({number}): {reason}. It runs again only when it is released.',
    }),
    of({
      code: 'fms.reopened',
      name: 'A ticket for a lift is reopened',
      severity: 'warning',
      title: '{number} is reopened',
      body: '{building}, lift {lift}: the problem is not solved yet.',
    }),
    rescue({
      code: 'fms.rescue',
      name: 'People are trapped in a lift',
      title: 'RESCUE: people in the lift, {building}',
      body: `${CALL}\n\nAccept {number} at once if you can be there: the first to accept goes.`,
    }),
    rescue({
      code: 'fms.rescue_waits',
      name: 'Nobody has accepted a rescue',
      title: 'No technician yet: people in the lift, {building}',
      body: `${CALL}\n\nNobody has accepted {number} within {minutes} minutes.`,
    }),
    rescue({
      code: 'fms.rescue_phone',
      name: 'The desk must phone for a rescue',
      title: 'Phone now: people in the lift, {building}',
      body: `${CALL}\n\nNobody has accepted {number} within {minutes} minutes. Phone the technicians one after the other.`,
    }),
    rescue({
      code: 'fms.rescue_late',
      name: 'Nobody is on site for a rescue',
      title: 'Late: people still in the lift, {building}',
      body: `${CALL}\n\nNobody is on site in time for {number}. Fire and rescue service: 101, emergency: 112.`,
    }),
    rescue({
      code: 'fms.rescue_call',
      name: 'The desk is to call the people in the car',
      title: 'Call the car: people in the lift, {building}',
      body: `${CALL}\n\nThey have been inside for {minutes} minutes. Speak with them, and log the call at {number}.`,
    }),
    of({
      code: 'fms.released',
      name: 'People are out of a lift',
      severity: 'success',
      channels: both,
      title: 'All out: {building}',
      body: '{people} people are out of lift {lift}, {injured} of them injured ({number}).',
    }),
  ];
}
