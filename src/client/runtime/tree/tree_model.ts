/** A record of a hierarchy as returned by the tree call; further members are grid columns. */
export interface TreeNode extends Record<string, unknown> {
  id: number;
  parent: number | null;
  label: string;
  detail?: string | null;
  children_count: number;
}

/** A line of the tree as it is shown. */
export interface TreeLine {
  node: TreeNode;
  level: number;
  /** Position among its siblings, from 1. */
  place: number;
  siblings: number;
  /** null = a leaf. */
  open: boolean | null;
}

export class TreeModel {
  private nodes = new Map<number, TreeNode>();
  private below = new Map<number | null, TreeNode[]>();

  constructor(nodes: Iterable<TreeNode>) {
    for (const node of nodes) this.nodes.set(node.id, node);
    for (const node of this.nodes.values()) {
      // A parent that this person may not see, or that is inactive: the node is then shown at the top level.
      const parent = node.parent !== null && this.nodes.has(node.parent) ? node.parent : null;
      const siblings = this.below.get(parent);
      if (siblings) siblings.push(node);
      else this.below.set(parent, [node]);
    }
  }

  get size(): number {
    return this.nodes.size;
  }

  all(): TreeNode[] {
    return [...this.nodes.values()];
  }

  get(id: number): TreeNode | undefined {
    return this.nodes.get(id);
  }

  children(id: number | null): TreeNode[] {
    return this.below.get(id) ?? [];
  }

  /** Some children are not loaded yet. */
  isMissingChildren(node: TreeNode): boolean {
    return this.children(node.id).length < node.children_count;
  }

  isComplete(): boolean {
    return this.all().every((node) => !this.isMissingChildren(node));
  }

  parentsOf(id: number): number[] {
    const path: number[] = [];
    let node = this.nodes.get(id);
    while (node && node.parent !== null && !path.includes(node.parent)) {
      path.push(node.parent);
      node = this.nodes.get(node.parent);
    }
    return path;
  }

  /** True if a node may be moved under another: not under itself, its descendants, or its current parent. */
  mayMove(id: number, parent: number | null): boolean {
    const node = this.nodes.get(id);
    if (!node || node.parent === parent) return false;
    return parent === null || (parent !== id && !this.parentsOf(parent).includes(id));
  }

  /** Everything below a node, however deep. */
  countBelow(id: number): number {
    let count = 0;
    for (const child of this.children(id)) count += 1 + this.countBelow(child.id);
    return count;
  }

  /** Ids of the nodes whose label or detail contains the text, and of their ancestors. */
  matches(text: string): { hits: Set<number>; shown: Set<number> } {
    const wanted = text.trim().toLowerCase();
    const hits = new Set<number>();
    const shown = new Set<number>();
    for (const node of this.nodes.values()) {
      if (!`${node.label} ${node.detail ?? ''}`.toLowerCase().includes(wanted)) continue;
      hits.add(node.id);
      shown.add(node.id);
      for (const parent of this.parentsOf(node.id)) shown.add(parent);
    }
    return { hits, shown };
  }

  /** The lines to show: children of open nodes; with `shown`, only those. */
  lines(open: ReadonlySet<number>, shown: ReadonlySet<number> | null = null): TreeLine[] {
    const lines: TreeLine[] = [];
    const walk = (parent: number | null, level: number) => {
      const children = this.children(parent).filter((node) => !shown || shown.has(node.id));
      for (const [index, node] of children.entries()) {
        const inner = shown
          ? this.children(node.id).some((child) => shown.has(child.id))
          : node.children_count > 0 || this.children(node.id).length > 0;
        const isOpen = inner ? open.has(node.id) || shown !== null : null;
        lines.push({ node, level, place: index + 1, siblings: children.length, open: isOpen });
        if (isOpen) walk(node.id, level + 1);
      }
    };
    walk(null, 1);
    return lines;
  }
}
