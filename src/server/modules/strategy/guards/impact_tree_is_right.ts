import { impactTree } from '../../../../domain/strategy/impact_tree.ts';
import type { Relation } from '../../../../domain/strategy/impact_tree.ts';
import type { Guard } from '../../../engine/modules.ts';

/**
 * An active tree has one root and no cycle, and the children of each node are combined in one way (performance.md §4).
 */
export const impactTreeIsRight: Guard = {
  check({ record }) {
    const rows = Array.isArray(record.nodes) ? (record.nodes as Record<string, unknown>[]) : [];
    const made = impactTree(
      rows.map((row) => ({
        no: Number(row.node_no),
        parent: row.parent_no === null || row.parent_no === undefined ? null : Number(row.parent_no),
        code: String(row.code),
        label: String(row.label),
        relation: (row.relation ?? 'plus') as Relation,
        formula: typeof row.formula === 'string' ? row.formula : null,
      })),
    );
    const errors = 'wrong' in made ? made.wrong.map((message) => ({ field: 'nodes', message })) : [];
    if ('wrong' in made) return Promise.resolve(errors);
    const leaves = new Set(made.leaves.map(({ no }) => no));
    const empty = rows.filter(
      (row) => leaves.has(Number(row.node_no)) && typeof row.kpi_id !== 'number' && (row.constant ?? null) === null,
    );
    return Promise.resolve(
      empty.map((row) => ({ field: 'nodes', message: `${String(row.label)} has no KPI and no value. Enter one.` })),
    );
  },
};
