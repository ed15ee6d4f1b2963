/** How far each step has come when it begins, in percent of the whole: an engine answers once, so that these are steps, not time. */
export const STEPS = { waiting: 0, sending: 5, recognising: 40, storing: 90 };
export type Step = keyof typeof STEPS;
