import { historyLink, sharesOf } from '../../../../domain/strategy/history_shares.ts';
import type { HistoryLink } from '../../../../domain/strategy/history_shares.ts';
import type { Action } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

interface Link {
  parent_no: number;
  child_no: number;
  parent_kpi: number | null;
  child_kpi: number | null;
}

/** The monthly figures of KPIs that count: the sum of the members' figures, or their mean if months are not added up either. */
async function historyOf(unit: Unit, kpis: readonly number[]): Promise<Map<number, Map<string, number>>> {
  const rows = await unit.query<{ kpi: number; month: string; value: number }>(
    `select a.kpi_id as kpi, a.month, case when k.period_aggregation = 'sum' then sum(a.value) else avg(a.value) end::float8 as value
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
     where a.entity_id = $1 and a.kpi_id = any($2) and a.active and a.counts and not a.not_applicable and a.value is not null
       and a.employee_id is not null and a.seen_by is distinct from 'line'
     group by a.kpi_id, k.period_aggregation, a.month order by a.month`,
    [unit.session.entityId, kpis],
  );
  return new Map(
    [...Map.groupBy(rows, ({ kpi }) => kpi)].map(([kpi, own]) => [
      kpi,
      new Map(own.map(({ month, value }) => [month, value])),
    ]),
  );
}

const said = ({ r, lag, months }: HistoryLink): string =>
  `r = ${r.toFixed(2)} over ${months} months${lag === 0 ? '' : `, ${lag} ${lag === 1 ? 'month' : 'months'} ahead`}`;

/** Suggests the shares of estimated drivers from their history; a person checks and saves them (performance.md §5.16). */
export const suggestImpacts: Action = {
  async run({ unit, record }) {
    if (typeof record?.tree_id !== 'number') unit.refuse([{ field: 'tree_id', message: 'Choose the tree first.' }]);
    const links = await unit.query<Link>(
      `select p.node_no as parent_no, c.node_no as child_no, p.kpi_id as parent_kpi, c.kpi_id as child_kpi
       from {kpi_impact_tree.nodes} c join {kpi_impact_tree.nodes} p on p.parent_id = c.parent_id and p.node_no = c.parent_no
       where c.parent_id = $1 and c.relation = 'judged' order by p.node_no, c.node_no`,
      [record!.tree_id],
    );
    const kpis = links.flatMap(({ parent_kpi: parent, child_kpi: child }) => [parent ?? [], child ?? []].flat());
    const history = await historyOf(unit, [...new Set(kpis)]);
    const found = links.flatMap((link) => {
      const [result, driver] = [history.get(link.parent_kpi ?? 0), history.get(link.child_kpi ?? 0)];
      const best = result && driver ? historyLink(result, driver) : null;
      return best ? [{ ...link, best }] : [];
    });
    if (found.length === 0)
      unit.refuse([
        {
          field: 'weights',
          message:
            'No estimated driver and its node have a KPI with 12 months of approved figures in common. Enter the percentages.',
        },
      ]);
    const suggested = [...Map.groupBy(found, ({ parent_no: parent }) => parent).values()].flatMap((own) => {
      const shares = sharesOf(own.map(({ best }) => best.r));
      return own.map(({ parent_no, child_no, best }, at) => ({
        parent_no,
        child_no,
        impact_percent: shares[at]!,
        sense: best.r < 0 ? 'opposite' : 'same',
        reason: said(best),
      }));
    });
    // Other nodes keep what somebody entered; those with a suggestion get it for all their drivers.
    const parents = new Set(found.map(({ parent_no: parent }) => parent));
    const rest = ((record!.weights ?? []) as { parent_no: number }[]).filter(({ parent_no: no }) => !parents.has(no));
    return {
      rows: [...suggested, ...rest.map((row) => ({ ...row }))],
      done: 'Check the suggested percentages, then save.',
    };
  },
};
