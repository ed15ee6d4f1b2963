import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError, api } from '../../api/http.ts';
import { useLiveRecords } from '../landing/use_rows.ts';
import type { TreeNode } from './tree_model.ts';
import { TreeModel } from './tree_model.ts';

export interface Tree {
  model: TreeModel | null;
  error: ApiError | null;
  refresh: () => void;
  /** Loads the missing children of a node. */
  loadBelow: (id: number) => void;
  /** Loads search results that are not loaded yet, with their ancestors. */
  search: (text: string) => void;
}

function nodesOf(path: string, query: Record<string, string | number>, signal?: AbortSignal): Promise<TreeNode[]> {
  return api
    .get<{ data: TreeNode[] }>(path, query, { quiet: true, ...(signal && { signal }) })
    .then(({ data }) => data);
}

/**
 * The hierarchy of a record type: complete if the server sends it completely, otherwise level by level. `path`: another
 * call with the same response format; `type` may then be several types, separated by spaces.
 */
export function useTree(type: string, company: number | null, path = `/tapi/${type}/tree`): Tree {
  const [nodes, setNodes] = useState<Map<number, TreeNode> | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);
  useLiveRecords(type, refresh);

  useEffect(() => {
    const stop = new AbortController();
    nodesOf(path, {}, stop.signal)
      .then((list) => {
        setNodes(new Map(list.map((node) => [node.id, node])));
        setError(null);
      })
      .catch((thrown: unknown) => {
        if (stop.signal.aborted) return;
        setError(thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server'));
      });
    return () => stop.abort();
  }, [path, company, turn]);

  const add = useCallback((list: TreeNode[]) => {
    setNodes((old) => {
      const next = new Map(old);
      for (const node of list) next.set(node.id, node);
      return next;
    });
  }, []);
  const loadBelow = useCallback(
    (id: number) => {
      // Opening the node again retries.
      nodesOf(path, { root: id, depth: 1 }).then(add, () => undefined);
    },
    [path, add],
  );
  const search = useCallback(
    (text: string) => {
      nodesOf(path, { q: text }).then(add, () => undefined);
    },
    [path, add],
  );
  const model = useMemo(() => (nodes ? new TreeModel(nodes.values()) : null), [nodes]);
  return { model, error, refresh, loadBelow, search };
}
