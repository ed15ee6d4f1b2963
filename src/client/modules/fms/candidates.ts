import useSWR from 'swr';
import { formatDate } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { Candidate } from './LinePicker.tsx';

type Filter = readonly unknown[];

interface Loaded {
  candidates: Candidate[] | null;
  error: unknown;
  retry: () => void;
}

/** Maximum number for one document. */
const MOST = 500;

function useList(type: string, filter: Filter | null, toCandidate: (row: WireRecord) => Candidate): Loaded {
  const { data, error, mutate } = useSWR(
    filter === null ? null : [`/tapi/${type}`, JSON.stringify(filter)],
    async ([path, text]) =>
      (await api.get<{ data: WireRecord[] }>(path, { filter: text, size: MOST, columns: '*' }, { quiet: true })).data,
    { revalidateOnFocus: false },
  );
  return { candidates: data?.map(toCandidate) ?? null, error: error as unknown, retry: () => void mutate() };
}

const name = (row: WireRecord, field: string) => String(row[`${field}__label`] ?? row[field] ?? '');

/** Active lines of a contract, or of lifts; null = not loaded yet. */
export function useRunningLines(of: { contract: number } | { lifts: number[] | null }): Loaded {
  const isNone = 'lifts' in of && of.lifts?.length === 0;
  const which = 'contract' in of ? ['contract_id', 'eq', of.contract] : of.lifts && ['lift_id', 'in', of.lifts];
  const filter = which && !isNone ? ['and', which, ['line_status', 'in', ['active', 'held']]] : null;
  const found = useList('contract_line', filter, (row) => ({
    id: row.id,
    title: name(row, 'lift_id'),
    note: `${name(row, 'contract_id')}, until ${formatDate(String(row.to_on))}`,
  }));
  return isNone ? { ...found, candidates: [] } : found;
}

/** Lifts by their numbers, or of a customer; null = not chosen yet. */
export function useLifts(of: { ids: number[] } | { customer: number | null }): Loaded {
  const filter =
    'ids' in of
      ? ['id', 'in', of.ids]
      : of.customer === null
        ? null
        : ['and', ['customer_id', 'eq', of.customer], ['status', 'ne', 'decommissioned']];
  return useList('lift', filter, (row) => ({
    id: row.id,
    title: [row.lift_no, row.position_name].filter(Boolean).join(' · '),
    note: name(row, 'building_id'),
  }));
}

/** Comma-separated ids of an address. */
export const idsIn = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
