/** Transitions that rules may subscribe to, besides records being added and changed. */
const STEPS = {
  employee: [],
  filing: ['start', 'send_for_review', 'give_back', 'mark_ready', 'file', 'acknowledge', 'mark_defective', 'extend'],
  act_case: ['start', 'hold', 'resume', 'close', 'cancel'],
  chk_task_instance: ['submit', 'return', 'miss'],
  ticket: ['assign', 'resolve', 'reopen', 'close', 'response_breach', 'resolution_breach'],
  survey_answer: ['hand_in'],
} as const;

/** All events that rules may subscribe to, by their full names. */
export const RULE_EVENTS: readonly string[] = Object.entries(STEPS).flatMap(([type, steps]) =>
  ['created', 'changed', ...steps].map((what) => `${type}.${what}`),
);
