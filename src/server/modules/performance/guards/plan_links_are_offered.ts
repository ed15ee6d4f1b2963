import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { linksOfMove, wrongRelink } from '../move_links.ts';
import { linksOfPlan } from '../plan_links.ts';

/** Each KPI of a reorganisation counts into a sheet that its member's move offers to the person (performance.md §2.7). */
export const planLinksAreOffered: Guard = {
  async check({ unit, services, record }) {
    const errors: FieldError[] = [];
    const moves = (record.moves ?? []) as Record<string, unknown>[];
    const from = String(record.effective_on);
    for (const [employee, links] of Map.groupBy(linksOfPlan(record), (link) => link.employee)) {
      const move = moves.find((row) => row.employee_id === employee);
      const manager = (move?.to_manager_id ?? null) as number | null;
      const offered = move
        ? await linksOfMove(unit.session, services.screens(), { employee, manager, from }, 'all')
        : null;
      for (const link of links) {
        const message = offered
          ? wrongRelink([link], offered)
          : 'This member is not among the moves. Remove the KPI, or add the move.';
        if (message !== null) errors.push({ field: `links.${link.at}.to_sheet_id`, message });
      }
    }
    return errors;
  },
};
