import type { TreeModel, TreeNode } from '../../runtime/tree/tree_model.ts';

/** The nodes from a person down to one below; empty if the other is not below. */
export function lineDown(model: TreeModel, from: number, to: number): TreeNode[] {
  const path = [to, ...model.parentsOf(to)];
  const at = path.indexOf(from);
  return at < 0
    ? []
    : path
        .slice(0, at + 1)
        .reverse()
        .flatMap((id) => model.get(id) ?? []);
}

/** Why a person cannot report to another; null = allowed. */
export function refusalOfMove(model: TreeModel, id: number, to: number | null): string | null {
  const node = model.get(id);
  if (!node) return 'This person is no longer in the list.';
  if (to === node.parent) return `${node.label} reports there already.`;
  if (to === null) return null;
  if (to === id) return `${node.label} cannot report to themselves.`;
  const line = lineDown(model, id, to);
  const last = line.at(-1);
  return last
    ? `${last.label} reports to ${node.label}: ${line.map(({ label }) => label).join(' → ')}. Choose another manager.`
    : null;
}

/** The first 50 people whose name or number contains the text. */
export function candidates(model: TreeModel, text: string): TreeNode[] {
  const wanted = text.trim().toLowerCase();
  return model
    .all()
    .filter((node) => wanted === '' || `${node.label} ${node.detail ?? ''}`.toLowerCase().includes(wanted))
    .sort((a, b) => a.label.localeCompare(b.label))
    .slice(0, 50);
}
