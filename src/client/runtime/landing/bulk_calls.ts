import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';

export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
}

/** Sets the same values in several records. */
export async function bulkSet(type: string, records: WireRecord[], set: Record<string, unknown>): Promise<BulkAnswer> {
  const { data } = await api.put<{ data: BulkAnswer }>(`/tapi/${type}/bulk`, { ids: records.map(({ id }) => id), set });
  return data;
}

/** Deletes several records, or takes them out of use. */
export async function bulkDelete(type: string, records: WireRecord[], mode: 'delete' | 'deactivate'): Promise<BulkAnswer> {
  const { data } = await api.post<{ data: BulkAnswer }>(`/tapi/${type}/bulk_delete`, { ids: records.map(({ id }) => id), mode });
  return data;
}

/** Takes several records back into use; there is one call a record, four at a time. */
export async function bulkActivate(type: string, records: WireRecord[]): Promise<BulkAnswer> {
  const answer: BulkAnswer = { changed: [], errors: [] };
  const waiting = [...records];
  const work = async () => {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      const { id, version } = record;
      try {
        await api.post(`/tapi/${type}/${id}/activate`, { version }, { quiet: true });
        answer.changed.push(id);
      } catch (thrown) {
        answer.errors.push({ id, message: thrown instanceof Error ? thrown.message : 'This could not be done.' });
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return answer;
}
