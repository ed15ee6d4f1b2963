import { formatNumber } from '../../../descriptor/format.ts';
import type { Pagination, WireRecord } from '../../../descriptor/types.ts';
import type { CallOptions } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import type { ListState } from './list_address.ts';
import { filterOf } from './list_address.ts';

export interface ListPage {
  data: WireRecord[];
  pagination: Pagination;
  /** The cursor for the next rows: deep pages then cost as little as the first. */
  cursor?: string | null;
}

export interface Count {
  count: number;
  /** The server stopped counting here: "1,000+". */
  capped: boolean;
}

/** The parameters that decide the rows and order of a list: the same for list, count and export. */
export function listParameters(state: ListState, q = state.q): Record<string, string> {
  const filter = filterOf(state.conditions);
  return {
    ...(q !== '' && { q }),
    ...(filter !== null && { filter: JSON.stringify(filter) }),
    ...(state.sort.length > 0 && { sort: state.sort.join(',') }),
    ...(state.active !== 'true' && { active: state.active }),
    ...(state.mine !== false && { mine: state.mine === true ? '1' : state.mine }),
    ...state.choice,
  };
}

/** Rows without their count, which has its own call, so that rows never wait for it. */
export function fetchRows(
  type: string,
  parameters: Record<string, string>,
  place: { page: number; size: number; after?: string },
  options: CallOptions = {},
): Promise<ListPage> {
  const { page, size, after } = place;
  return api.get<ListPage>(
    `/tapi/${type}`,
    { ...parameters, size, count: 'none', ...(after === undefined ? { page } : { after }) },
    { quiet: true, ...options },
  );
}

export async function fetchCount(
  type: string,
  parameters: Record<string, string>,
  signal?: AbortSignal,
): Promise<Count> {
  const { sort: _order, columns: _columns, ...rest } = parameters;
  const answer = await api.get<Count & { data?: Count }>(`/tapi/${type}/count`, rest, {
    quiet: true,
    ...(signal && { signal }),
  });
  const { count, capped } = answer.data ?? answer;
  return { count, capped: capped === true };
}

/** "1,204", or "1,000+" where the server stopped counting. */
export function countText({ count, capped }: Count): string {
  return formatNumber(count) + (capped ? '+' : '');
}
