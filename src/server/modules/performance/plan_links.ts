import type { WireRecord } from '../../../descriptor/types.ts';
import type { Relink } from '../../../domain/performance/move_links.ts';

/** A KPI that counts into another sheet once its member has moved, with its place in the plan. */
interface PlannedLink extends Relink {
  employee: number;
  at: number;
}

/** The KPIs of a reorganisation that count elsewhere from its day on. */
export const linksOfPlan = (plan: WireRecord): PlannedLink[] =>
  ((plan.links ?? []) as Record<string, unknown>[]).map((row, at) => ({
    employee: row.employee_id as number,
    sheet_id: row.sheet_id as number,
    kpi_id: row.kpi_id as number,
    ...(typeof row.part_key === 'string' && { part_key: row.part_key }),
    to: (row.to_sheet_id ?? null) as number | null,
    at,
  }));
