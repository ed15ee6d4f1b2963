import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { TreeLine, TreeNode } from './tree_model.ts';
import type { Tree } from './use_tree.ts';

export interface TreeLines {
  text: string;
  setText: (text: string) => void;
  lines: TreeLine[];
  /** The search results; the other lines are their ancestors. */
  hits: ReadonlySet<number> | null;
  toggle: (node: TreeNode, open: boolean) => void;
  openToo: (id: number) => void;
  openAll: () => void;
  closeAll: () => void;
  /** The number of results shown beside the search; empty while unknown. */
  count: string;
}

/** The visible lines of a tree: expanded nodes, or search results. */
export function useTreeLines({ model, loadBelow, search }: Tree, firstText: string): TreeLines {
  const [open, setOpen] = useState<ReadonlySet<number> | null>(null);
  const [text, setText] = useState(firstText);
  // Initially the top level and its children.
  const opened = useMemo(() => open ?? new Set(model?.children(null).map(({ id }) => id)), [open, model]);
  const searching = text !== '';
  const complete = useMemo(() => model?.isComplete() ?? false, [model]);
  const searchServer = useEffectEvent((wanted: string) => {
    if (wanted !== '' && model && !complete) search(wanted);
  });
  useEffect(() => searchServer(text), [text, search]);
  const found = useMemo(() => (searching && model ? model.matches(text) : null), [searching, model, text]);
  const lines = useMemo(() => model?.lines(opened, found?.shown ?? null) ?? [], [model, opened, found]);

  return {
    text,
    setText,
    lines,
    hits: found?.hits ?? null,
    toggle: (node, wanted) => {
      const next = new Set(opened);
      if (wanted) next.add(node.id);
      else next.delete(node.id);
      setOpen(next);
      if (wanted && model?.isMissingChildren(node)) loadBelow(node.id);
    },
    openToo: (id) => setOpen(new Set([...opened, id])),
    openAll: () => {
      setOpen(new Set(model?.all().map(({ id }) => id)));
      for (const node of model?.all() ?? []) if (model?.isMissingChildren(node)) loadBelow(node.id);
    },
    closeAll: () => setOpen(new Set()),
    count: model ? (found ? `${found.hits.size} of ${model.size}` : `${model.size}${complete ? '' : '+'}`) : '',
  };
}
