import type { FieldError } from '../../descriptor/types.ts';

/** What is known about a ticket when its work is to be completed. */
export interface TicketFacts {
  /** The requirements of the ticket type. */
  needs: readonly string[];
  trapped: boolean;
  photos: readonly { kind?: unknown }[];
  hasCause: boolean;
  hasAction: boolean;
  /** The name of the action taken if it uses material. */
  materialFor: string | null;
  hasParts: boolean;
  /** Whether something is recorded about the lift. */
  hasHistory: boolean;
  /** What must be recorded about a component for this type of ticket, and is not. */
  unrecorded: readonly { component: string; name: string }[];
  /** Questions of the checklist or rescue report that are open. */
  openQuestions: number;
}

/** What the ticket type requires before the work counts as done; for trapped people also the cause and the report. */
export const neededFor = (needs: readonly string[], trapped: boolean): ReadonlySet<string> =>
  new Set([...needs, ...(trapped ? ['root_cause', 'checklist'] : [])]);

/**
 * What is missing before the work counts as done (section 4); the server and the technician's phone say the same.
 * Signature and code are required at the sign-off.
 */
export function missingForCompletion(facts: TicketFacts): FieldError[] {
  const needs = neededFor(facts.needs, facts.trapped);
  const hasPhoto = (kind: string) => facts.photos.some((photo) => photo.kind === kind);
  const missing: FieldError[] = [];
  const need = (name: string, isThere: boolean, field: string, message: string) => {
    if (needs.has(name) && !isThere) missing.push({ field, message });
  };
  need('photo_before', hasPhoto('before'), 'photos', 'Add a photo from before the work.');
  need('photo_after', hasPhoto('after'), 'photos', 'Add a photo from after the work.');
  need(
    'root_cause',
    facts.hasCause,
    'root_cause_id',
    facts.trapped ? 'Choose why people were trapped: the root cause.' : 'Choose the root cause.',
  );
  need('action_taken', facts.hasAction, 'action_taken_id', 'Choose what was done.');
  need(
    'job_history',
    facts.hasHistory,
    '',
    'Enter under "Found and done" what you found on the lift and what you did.',
  );
  if (facts.materialFor !== null && !facts.hasParts)
    missing.push({
      field: 'action_taken_id',
      message: `"${facts.materialFor}" uses material. Enter the parts used first.`,
    });
  for (const { component, name } of facts.unrecorded)
    missing.push({ field: '', message: `Enter "${component}: ${name}" under "Found and done".` });
  const what = facts.trapped ? 'rescue report' : 'checklist';
  const open = facts.openQuestions === 1 ? '1 question is' : `${facts.openQuestions} questions are`;
  need('checklist', facts.openQuestions === 0, 'answers', `Answer the ${what} first: ${open} still open.`);
  return missing;
}
