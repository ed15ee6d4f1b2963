import type { FieldError, Screen } from '../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** What the steps of a type do not allow: a new record that begins in the middle, or a move that does not follow. */
export function flowErrors({ flow, fields }: Screen, record: Row, stored: Row | null): FieldError[] {
  if (!flow) return [];
  const field = fields.find(({ name }) => name === flow.field);
  const [before, after] = [stored?.[flow.field] ?? null, record[flow.field] ?? null];
  if (!field || after === null || after === before) return [];
  const words = (value: unknown) => field.options?.find((option) => option.value === value)?.label ?? String(value);
  const list = (values: string[]) => values.map((value) => `"${words(value)}"`).join(' or ');
  if (before === null) {
    if (stored || !flow.start || flow.start.includes(String(after))) return [];
    return [{ field: flow.field, message: `A new record begins as ${list(flow.start)}, not as "${words(after)}".` }];
  }
  const next = flow.moves[String(before)] ?? [];
  if (next.includes(String(after))) return [];
  return [{ field: flow.field, message: `"${words(after)}" does not follow "${words(before)}". ${next.length === 0 ? 'Nothing does.' : `Choose ${list(next)}.`}` }];
}
