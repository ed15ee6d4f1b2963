import type { ReportCall } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';

/** Whether a month's figures may still change: how many of its KPIs are approved; null = the month is frozen. */
export async function provisional(call: ReportCall, sheets: readonly number[], month: string): Promise<string | null> {
  const reader = new SourceReader(call);
  const [found] = await reader.query<{ all: number; approved: number; frozen: boolean }>(
    (
      values,
    ) => `select count(*)::int as "all", count(*) filter (where a.counts)::int as approved, bool_and(a.status = 'frozen') as frozen
      from {kpi_actual} a where a.sheet_id = any(${values.bind(sheets)}::bigint[]) and a.month = ${values.bind(month)} and a.weight > 0
        and ${reader.seen('kpi_actual', 'a', values)}`,
  );
  if (!found || found.frozen) return null;
  return found.approved === found.all
    ? 'provisional until it is frozen'
    : `provisional, ${found.approved} of ${found.all} KPIs approved`;
}
