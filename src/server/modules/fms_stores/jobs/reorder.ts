import type { Job } from '../../../engine/modules.ts';
import { reorderProposal } from '../stock/reorder_proposal.ts';

interface Low {
  id: number;
  supplier: number;
}

/** Every morning, drafts one indent for each stock point below its levels, unless it has a draft already (5.14). */
export const reorder: Job = {
  elevated: true,
  async run({ company, each }) {
    let made = 0;
    await each(
      (unit, after) =>
        unit.query<Low>(
          `select p.id, p.supply_from_id as supplier from {stock_point} p where p.entity_id = $1 and p.active and p.supply_from_id is not null and p.id > $2
             and exists (select 1 from {stock_point.levels} l where l.parent_id = p.id)
             and not exists (select 1 from {mr_indent} n where n.for_stock_point_id = p.id and n.kind = 'reorder' and n.state = 'draft' and n.active)
           order by p.id limit 20`,
          [company, after ?? 0],
        ),
      async (unit, points) => {
        for (const { id, supplier } of points) {
          const lines = (await reorderProposal(unit, Number(id))).filter(({ propose }) => propose !== '0');
          if (lines.length === 0) continue;
          await unit.elevated().create('mr_indent', {
            kind: 'reorder',
            for_stock_point_id: Number(id),
            from_stock_point_id: Number(supplier),
            lines: lines.map(({ item, uom, propose }) => ({
              item_id: item,
              condition: 'new',
              uom_id: uom,
              qty: propose,
            })),
          });
          made++;
        }
        return Number(points.at(-1)!.id);
      },
    );
    return `${made} indents drafted.`;
  },
};
