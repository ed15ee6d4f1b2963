import { useEffect, useMemo, useState } from 'react';
import type { TreeNode, TreeNodes } from '../../../../../descriptor/row_tree.ts';
import type { Field } from '../../../../../descriptor/types.ts';
import { api } from '../../../../api/http.ts';
import type { FieldHost } from '../../widget.ts';
import type { Row } from '../sheet_values.ts';

/** The delay before the ancestors of new records are requested. */
const PAUSE = 50;

/** The ancestors of the records that rows refer to; null = not known yet, or not a tree. */
export function useRowNodes(host: FieldHost | null, field: Field, rows: readonly Row[]): TreeNodes | null {
  const { rowTree } = field;
  const [nodes, setNodes] = useState<TreeNodes | null>(null);
  // The ids as text: while it is unchanged there is nothing to request.
  const wanted = useMemo(() => {
    if (!rowTree) return null;
    const refs = rowTree.by.filter((name) => field.rows?.find((column) => column.name === name)?.ref);
    const ids = refs.map((name): [string, number[]] => [
      name,
      [...new Set(rows.map((row) => row[name]))].filter((id) => typeof id === 'number').sort((a, b) => a - b),
    ]);
    return JSON.stringify(Object.fromEntries(ids));
  }, [rowTree, field.rows, rows]);
  const screen = host?.screen.name;
  const entityId = host?.entityId;
  useEffect(() => {
    if (wanted === null || screen === undefined) return;
    let gone = false;
    const timer = setTimeout(() => {
      const options = { quiet: true, ...(entityId !== undefined && { entityId }) } as const;
      api
        .post<{ data: Record<string, TreeNode[]> }>(
          `/tapi/${screen}/rows/${field.name}/above`,
          JSON.parse(wanted) as object,
          options,
        )
        .then(({ data }) => !gone && setNodes(new Map(Object.entries(data))))
        // Without an answer the rows are shown as a list.
        .catch(() => undefined);
    }, PAUSE);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, screen, entityId, field.name]);
  return nodes;
}
