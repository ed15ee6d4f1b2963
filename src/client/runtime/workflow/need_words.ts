import type { Need } from '../../../domain/approval_levels.ts';

/** How many of several people must agree, as text; nothing if there is one. */
export function needWords(need: Need, count: number | null, people: number): string {
  if (people < 2) return '';
  return need === 'all' ? 'all of them' : need === 'any_one' ? 'one of them' : `${count ?? 1} of them`;
}
