import type { Screen } from './types.ts';

/** The values that may follow now in the field of a type's steps; null = any. `stored` is null of a new record. */
export function stepsFrom(
  { field, start, moves }: NonNullable<Screen['flow']>,
  stored: Readonly<Record<string, unknown>> | null,
): string[] | null {
  if (!stored) return start ?? null;
  const before = stored[field] ?? null;
  return before === null ? null : (moves[String(before)] ?? []);
}
