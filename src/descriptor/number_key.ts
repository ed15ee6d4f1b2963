import type { Screen } from './types.ts';
import { amending } from './workflow.ts';

/**
 * The unique key formed by the numbers of a type: within a company each record, or revision, has its own; null = the
 * type has no numbers.
 */
export function numberKey(screen: Screen): string[] | null {
  const rule = screen.number ?? screen.numberAt;
  if (!rule) return null;
  const revision = amending(screen)?.amend.revision;
  return [...(rule.per ?? []), rule.field, ...(revision === undefined ? [] : [revision])];
}
