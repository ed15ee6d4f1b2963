/**
 * Steps that rules may subscribe to, besides records being added and changed: all that the form of a rule offers, and the
 * bands of the clocks of tickets.
 */
const STEPS = {
  employee: [],
  filing: [
    'start',
    'send_for_review',
    'give_back',
    'mark_ready',
    'file',
    'acknowledge',
    'mark_defective',
    'revise',
    'set_not_applicable',
    'extend',
    'extend_all',
  ],
  act_case: ['start', 'hold', 'resume', 'close', 'close_itself', 'cancel', 'reopen'],
  chk_task_instance: [
    'start',
    'submit',
    'approve',
    'complete',
    'return',
    'ask_na',
    'grant_na',
    'refuse_na',
    'reassign',
    'reschedule',
    'extend',
    'miss',
    'reopen',
    'cancel',
  ],
  ticket: [
    'approve',
    'reject',
    'assign',
    'take',
    'start',
    'reply',
    'note',
    'hand_in',
    'pause',
    'resume',
    'forward',
    'set_priority',
    'resolve',
    'close',
    'rate',
    'reopen',
    'merge',
    'withdraw',
    'cancel',
    'response_breach',
    'resolution_breach',
  ],
  survey_answer: ['hand_in'],
} as const;

/** All events that rules may subscribe to, by their full names. */
export const RULE_EVENTS: readonly string[] = Object.entries(STEPS).flatMap(([type, steps]) =>
  ['created', 'changed', ...steps].map((what) => `${type}.${what}`),
);
