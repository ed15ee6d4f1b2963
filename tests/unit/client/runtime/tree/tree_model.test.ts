import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../../../../src/client/runtime/tree/tree_model.ts';
import { TreeModel } from '../../../../../src/client/runtime/tree/tree_model.ts';
import { keyTarget } from '../../../../../src/client/runtime/tree/TreeView.tsx';

const node = (id: number, parent: number | null, label: string, children = 0): TreeNode => ({
  id,
  parent,
  label,
  children_count: children,
});
const model = new TreeModel([
  node(1, null, 'Group', 2),
  node(2, 1, 'South', 2),
  node(3, 1, 'North'),
  node(4, 2, 'Chennai'),
  node(5, 2, 'Kochi'),
  node(6, 99, 'Stray'),
]);
const labels = (open: number[], shown?: Set<number>) =>
  model.lines(new Set(open), shown).map(({ node: { label } }) => label);

describe('a tree', () => {
  it('shows the children of open nodes; a node without a visible parent is at the top', () => {
    expect(labels([])).toEqual(['Group', 'Stray']);
    expect(labels([1])).toEqual(['Group', 'South', 'North', 'Stray']);
    expect(labels([2])).toEqual(['Group', 'Stray']);
    expect(labels([1, 2])).toEqual(['Group', 'South', 'Chennai', 'Kochi', 'North', 'Stray']);
  });

  it('finds by name, with the path', () => {
    const { hits, shown } = model.matches('koch');
    expect([...hits]).toEqual([5]);
    expect(labels([], shown)).toEqual(['Group', 'South', 'Kochi']);
  });

  it('knows the permitted targets of a node', () => {
    expect(model.mayMove(2, 3)).toBe(true);
    expect(model.mayMove(2, 4)).toBe(false);
    expect(model.mayMove(2, 2)).toBe(false);
    expect(model.mayMove(2, 1)).toBe(false);
    expect(model.mayMove(2, null)).toBe(true);
    expect(model.mayMove(1, null)).toBe(false);
    expect(model.countBelow(1)).toBe(4);
  });

  it('knows which children are not loaded', () => {
    expect(model.isComplete()).toBe(true);
    expect(new TreeModel([node(1, null, 'Group', 3)]).isComplete()).toBe(false);
  });

  it('terminates on a cycle', () => {
    const circle = new TreeModel([node(1, 2, 'a', 1), node(2, 1, 'b', 1)]);
    expect(circle.parentsOf(1)).toEqual([2, 1]);
    expect(circle.lines(new Set([1, 2]))).toEqual([]);
  });
});

describe('keys of a tree', () => {
  const lines = model.lines(new Set([1, 2]));

  it('open, close and move', () => {
    expect(keyTarget(lines, 0, 'ArrowDown')).toBe(1);
    expect(keyTarget(lines, 0, 'ArrowUp')).toBe(0);
    expect(keyTarget(lines, 0, 'ArrowLeft')).toBe('close');
    expect(keyTarget(model.lines(new Set()), 0, 'ArrowRight')).toBe('open');
    expect(keyTarget(lines, 0, 'ArrowRight')).toBe(1);
    expect(keyTarget(lines, 3, 'ArrowLeft')).toBe(1);
    expect(keyTarget(lines, 2, 'ArrowRight')).toBeNull();
    expect(keyTarget(lines, 2, 'End')).toBe(5);
  });
});
