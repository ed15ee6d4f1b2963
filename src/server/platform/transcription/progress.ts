/**
 * The progress at the start of each step, in percent of the whole: an engine answers once, so this reflects steps, not
 * time.
 */
export const STEPS = { waiting: 0, sending: 5, recognising: 40, storing: 90 };
export type Step = keyof typeof STEPS;
