import type { ReportRow } from '../../../domain/report.ts';
import { analyse, needed } from '../../../domain/strategy/impact_view.ts';
import type { ViewNode } from '../../../domain/strategy/impact_view.ts';
import { AppError } from '../../db/errors.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { readImpact } from './read_impact.ts';

const fixed = (value: number | undefined, decimals: number): string | null =>
  value === undefined || !Number.isFinite(value) ? null : value.toFixed(decimals);

const ASSUMPTION = /^([A-Za-z]\w*)\s*=\s*([+-]?\d+(?:\.\d+)?)\s*(%?)$/;

/**
 * The values that the reader assumes for drivers, by node: `PRICE = 65`, or a change in per cent, `SALES = +5 %`. Nothing
 * is stored. @throws AppError 422
 */
function assumed(nodes: readonly ViewNode[], text: unknown): Map<number, number> {
  const values = new Map<number, number>();
  const refused = (message: string) =>
    new AppError(422, 'validation', message, { field: 'what_if', details: [{ field: 'what_if', message }] });
  const parents = new Set(nodes.map(({ parent }) => parent));
  for (const part of typeof text === 'string' ? text.split(';') : []) {
    if (part.trim() === '') continue;
    const [, code, amount, percent] = ASSUMPTION.exec(part.trim()) ?? [];
    const node = nodes.find((one) => one.code === code);
    if (code === undefined)
      throw refused(`“${part.trim()}” is not understood. Write for instance PRICE = 65; SALES = +5 %.`);
    if (!node || parents.has(node.no)) throw refused(`${code} is no driver of this tree.`);
    if (percent === '%' && node.to === null) throw refused(`${node.label} has no figure in this month.`);
    values.set(node.no, percent === '%' ? node.to! * (1 + Number(amount) / 100) : Number(amount));
  }
  return values;
}

/** A driver tree as a table: one row a node, from the root down (performance.md §7). */
const impactReport: ReportSource = {
  // Percentages, pins and units need no list right: people who may see the tree see it complete.
  reads: { kpi_impact_tree: [], kpi_actual: ['value', 'target'] },
  async rows(call) {
    const view = await readImpact(call);
    if (view.tree === null) return { rows: [] };
    if (view.nodes.length === 0) return { rows: [], note: 'The drivers of this tree have no figures of your team.' };
    const made = analyse(view.nodes, assumed(view.nodes, call.parameters.what_if));
    if ('wrong' in made) return { rows: [], note: made.wrong.join(' ') };
    const goals = needed(made, Number(call.parameters.gain ?? 10));
    const rows: ReportRow[] = [];
    const visit = (no: number, level: number) => {
      const node = view.nodes.find((one) => one.no === no)!;
      rows.push({
        level,
        node: node.label,
        from: fixed(made.from.get(no), 4),
        to: fixed(made.to.get(no), 4),
        achievement: fixed(made.achieved.get(no), 4),
        elasticity: fixed(made.elasticity.get(no), 4),
        impact: fixed(made.shares.get(no), 2),
        units: fixed(made.units?.get(no), 4),
        contribution: fixed(made.made?.of.get(no), 2),
        lever: fixed(made.levers.get(no), 2),
        needed: fixed(goals.get(no), 4),
      });
      for (const child of made.tree.children.get(no) ?? []) visit(child.no, level + 1);
    };
    visit(made.tree.root.no, 0);
    const note =
      made.units === null
        ? {}
        : {
            note: 'The root is at 0, so impacts have no percentage. They are shown as its change for 1 % of each driver.',
          };
    // Only leaves have an effect of their own: the waterfall adds them up to the change of the root.
    const leaves = rows.filter(({ contribution }) => contribution !== null);
    if (leaves.length === 0) return { rows, ...note };
    const values = leaves.map(({ contribution }) => Number(contribution));
    const series = [{ title: 'Effect of its change', values }];
    return { rows, ...note, chart: { x: leaves.map(({ node }) => String(node)), series } };
  },
};

export default impactReport;
