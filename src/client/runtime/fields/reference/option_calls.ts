import type { Field } from '../../../../descriptor/types.ts';
import { api } from '../../../api/http.ts';
import type { FieldHost, Values } from '../widget.ts';

/** A record that can be chosen for a reference. */
export interface Option {
  id: number;
  label: string;
  /** Its code or number, shown beside the name. */
  detail?: string | null;
  /** False: still stored where it was chosen, but no longer offered. */
  active?: boolean;
  /** The values copied into the form when it is chosen (x-fetch), by field name. */
  fetch?: Record<string, unknown>;
}

/** The form's values that restrict the choice, by field name; none = every record may be chosen. */
export function whereOf(field: Field, values: Values): Record<string, unknown> | null {
  const filter = field.ref?.filter;
  if (!filter) return null;
  return Object.fromEntries(Object.values(filter).map((name) => [name, values[name] ?? null]));
}

/** `branch.city`, or `employee.skills.competency_id` in child rows: the requesting field. */
export function askedBy(host: FieldHost, field: Field): string {
  return [host.asked ?? host.screen.name, host.rows, field.name].filter((part) => part !== undefined).join('.');
}

interface Ask {
  q?: string;
  ids?: number[];
  limit?: number;
  signal?: AbortSignal;
}

/** Requests records to choose from, for the current form. */
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
