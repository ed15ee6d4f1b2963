import type { Screen } from '../../../descriptor/types.ts';

/**
 * The fields that the record's state leaves editable for this person, as the server has said; null = it has not, or a
 * step without a network has led to another state since.
 */
export function openFields({ workflow }: Screen, record: Readonly<Record<string, unknown>>): string[] | null {
  const open = record._open as { in: unknown; fields: string[] } | undefined;
  return open && workflow && open.in === record[workflow.field] ? open.fields : null;
}
