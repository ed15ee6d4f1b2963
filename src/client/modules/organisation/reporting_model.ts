import { ChartTree, listedPerson } from '../../../domain/organisation/chart_tree.ts';
import type { TreeModel, TreeNode } from '../../runtime/tree/tree_model.ts';
import type { MoveChoice } from './move_choice.ts';
import { choiceInChart } from './move_choice.ts';

const designationOf = ({ designation_id__label: label }: TreeNode) => (typeof label === 'string' ? label : null);

/** The loaded people as a chart: it knows what a move changes, and why it is not possible. */
export function chartOf(model: TreeModel): ChartTree {
  return new ChartTree(
    model.all().map((node) =>
      listedPerson(
        {
          id: node.id,
          parent: node.parent,
          name: node.label,
          empno: node.detail ?? '',
          designation: designationOf(node),
        },
        node.version as number,
      ),
    ),
  );
}

/** A move within the loaded people; counts are shown only if everybody is here. */
export function choiceInList(model: TreeModel, tree: ChartTree, id: number): MoveChoice {
  const choice = choiceInChart(tree, id);
  return {
    ...choice,
    search: (text) =>
      candidates(model, text)
        .filter((node) => node.id !== id)
        .map((node) => choice.candidate(node.id)!),
    preview: model.isComplete() ? choice.preview : () => null,
  };
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
