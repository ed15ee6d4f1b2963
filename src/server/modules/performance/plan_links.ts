import type { WireRecord } from '../../../descriptor/types.ts';
import type { MoveLink, Relink } from '../../../domain/performance/move_links.ts';
import type { Call } from '../../engine/modules.ts';
import { linksOfMove } from './move_links.ts';

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

/** The planned links of each member with what their move offers to the person; null = the member does not move. */
export async function offersOfPlan({
  unit,
  services,
  record,
}: Call): Promise<{ links: PlannedLink[]; offered: MoveLink[] | null }[]> {
  const moves = (record.moves ?? []) as Record<string, unknown>[];
  const from = String(record.effective_on);
  const offers = [];
  for (const [employee, links] of Map.groupBy(linksOfPlan(record), (link) => link.employee)) {
    const move = moves.find((row) => row.employee_id === employee);
    const manager = (move?.to_manager_id ?? null) as number | null;
    const offered = move
      ? await linksOfMove(unit.session, services.screens(), { employee, manager, from }, 'all')
      : null;
    offers.push({ links, offered });
  }
  return offers;
}
