import type { Field } from '../../../../descriptor/types.ts';
import { api } from '../../../api/http.ts';
import type { FieldHost, Values } from '../widget.ts';

/** One record that a reference may name. */
export interface Option {
  id: number;
  label: string;
  /** Its code or number, shown beside the name. */
  detail?: string | null;
  /** False: stored where it was chosen, offered no more. */
  active?: boolean;
  /** What choosing it copies into the form (x-fetch), by the field's name there. */
  fetch?: Record<string, unknown>;
}

/** The form's values that narrow the choice, by their names in the form; none = every record may be chosen. */
export function whereOf(field: Field, values: Values): Record<string, unknown> | null {
  const filter = field.ref?.filter;
  if (!filter) return null;
  return Object.fromEntries(Object.values(filter).map((name) => [name, values[name] ?? null]));
}

/** `branch.city`, or `employee.skills.competency_id` in child rows: who is asking. */
export function askedBy(host: FieldHost, field: Field): string {
  return [host.asked ?? host.screen.name, host.rows, field.name].filter((part) => part !== undefined).join('.');
}

interface Ask {
  q?: string;
  ids?: number[];
  limit?: number;
  signal?: AbortSignal;
}

/** Asks for records to choose from, as the form stands now. */
export async function fetchOptions(
  host: FieldHost | null,
  field: Field,
  { q, ids, limit = 20, signal }: Ask,
): Promise<Option[]> {
  const where = host ? whereOf(field, host.values()) : null;
  const { data } = await api.get<{ data: Option[] }>(
    `/tapi/${field.ref?.type ?? ''}/options`,
    {
      ...(q && { q }),
      ...(ids && { ids: ids.join(',') }),
      ...(host && { for: askedBy(host, field) }),
      ...(where && { where: JSON.stringify(where) }),
      limit,
    },
    { quiet: true, ...(signal && { signal }), ...(host?.entityId !== undefined && { entityId: host.entityId }) },
  );
  return data;
}
