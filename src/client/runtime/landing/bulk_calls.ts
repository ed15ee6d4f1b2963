import type { FieldError, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';

export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
  /** Fields that were changed in no record, and why. */
  not_taken?: FieldError[];
}

/** Sets the same values in several records. */
export async function bulkSet(type: string, records: WireRecord[], set: Record<string, unknown>): Promise<BulkAnswer> {
  const { data } = await api.put<{ data: BulkAnswer }>(`/tapi/${type}/bulk`, { ids: records.map(({ id }) => id), set });
  return data;
}

/** Deletes several records, takes them out of use, or back into it. */
export async function bulkChange(
  type: string,
  records: WireRecord[],
  mode: 'delete' | 'deactivate' | 'activate',
): Promise<BulkAnswer> {
  const { data } = await api.post<{ data: BulkAnswer }>(`/tapi/${type}/bulk_delete`, {
    ids: records.map(({ id }) => id),
    mode,
  });
  return data;
}
