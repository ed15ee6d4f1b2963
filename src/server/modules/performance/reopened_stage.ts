/** The stages of a launch that can be reopened: the step of an appraisal that comes back to it, and which ones do. */
export const REOPENED = {
  /** Until the manager submits, the member may rate again. */
  self_rating: { step: 'reopen_self', which: `a.status = 'manager_rating' and a.has_self_rating` },
  /** A score that moderation has set stays as it is. */
  manager_rating: {
    step: 'reopen_rating',
    which: `a.status in ('reviewed', 'moderation') and a.moderated_score is null`,
  },
  /** A result that was released stays, also one that an appeal has changed. */
  moderation: {
    step: 'reopen_moderation',
    which: `a.status = 'final' and a.released_on is null and a.needs_moderation`,
  },
} as const;

export const isReopened = (stage: unknown): stage is keyof typeof REOPENED =>
  typeof stage === 'string' && stage in REOPENED;
