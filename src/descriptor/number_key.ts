import type { Screen } from './types.ts';
import { amending } from './workflow.ts';

/** The key that the numbers of a type are: within a company one record has one, or one revision of it; null = it has no numbers. */
export function numberKey(screen: Screen): string[] | null {
  const rule = screen.number ?? screen.numberAt;
  if (!rule) return null;
  const revision = amending(screen)?.amend.revision;
  return [...(rule.per ?? []), rule.field, ...(revision === undefined ? [] : [revision])];
}
