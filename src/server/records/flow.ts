import { stepsFrom } from '../../descriptor/steps.ts';
import type { FieldError, Screen } from '../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** What the steps of a type do not allow: a new record that begins in the middle, or a move that does not follow. */
export function flowErrors({ flow, fields }: Screen, record: Row, stored: Row | null): FieldError[] {
  if (!flow) return [];
  const field = fields.find(({ name }) => name === flow.field);
  const [before, after] = [stored?.[flow.field] ?? null, record[flow.field] ?? null];
  const next = stepsFrom(flow, stored);
  if (!field || after === null || after === before || next === null || next.includes(String(after))) return [];
  const words = (value: unknown) => field.options?.find((option) => option.value === value)?.label ?? String(value);
  const list = next.map((value) => `"${words(value)}"`).join(' or ');
  if (!stored) return [{ field: flow.field, message: `A new record begins as ${list}, not as "${words(after)}".` }];
  return [
    {
      field: flow.field,
      message: `"${words(after)}" does not follow "${words(before)}". ${next.length === 0 ? 'Nothing does.' : `Choose ${list}.`}`,
    },
  ];
}
