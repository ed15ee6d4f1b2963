import type { WireRecord } from '../../../descriptor/types.ts';
import { fetchRows } from './list_calls.ts';
import { MAX_SELECTED } from './most_selected.ts';

const SIZE = 500;

/** The records of a list in order, loaded or not; at most as many as one call can change. */
export async function allRows(type: string, parameters: Record<string, string>): Promise<WireRecord[]> {
  const found = new Map<number, WireRecord>();
  let after: string | undefined;
  for (let page = 1; found.size < MAX_SELECTED; page++) {
    const { data, pagination, cursor } = await fetchRows(type, parameters, {
      page,
      size: SIZE,
      ...(after !== undefined && { after }),
    });
    for (const record of data) found.set(record.id, record);
    if (!(pagination.has_next || pagination.more)) break;
    after = cursor ?? undefined;
  }
  return [...found.values()].slice(0, MAX_SELECTED);
}
