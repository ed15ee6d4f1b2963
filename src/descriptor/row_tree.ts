import { Decimal } from 'decimal.js';
import { decimalOf } from './fieldtypes/decimal_numbers.ts';
import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

type Row = Readonly<Record<string, unknown>>;

/** Child rows in a tree, as a descriptor defines it. */
export interface RowTree {
  /** The columns that place a row, from the top; a reference to a type with a tree adds the ancestors of the record. */
  by: string[];
  /** How a figure typed on a group is distributed to its rows. */
  spread: 'shares' | 'even';
  /** A column in proportion to which it is distributed instead. */
  weigh?: string;
}

/** A record of a referenced type: its label and its parent. */
export interface TreeNode {
  id: number;
  above: number | null;
  label: string;
}

/** The records that columns refer to, with all ancestors, in order; by column. */
export type TreeNodes = ReadonlyMap<string, readonly TreeNode[]>;

/** A group of rows: a separate line, never stored. */
export interface GroupLine {
  kind: 'group';
  /** Its unique key: "account_id:12", in a second column "segment_id:3/account_id:12". */
  key: string;
  above: string | null;
  depth: number;
  label: string;
  /** Positions of its rows, at any depth. */
  rows: number[];
}

/** A row at its position in the tree. */
export interface RowLine {
  kind: 'row';
  at: number;
  above: string | null;
  depth: number;
}

export type TreeLine = GroupLine | RowLine;

interface Group {
  key: string;
  label: string;
  above: Group | null;
  /** Its position among its siblings. */
  order: number;
  groups: Map<string, Group>;
  own: number[];
}

interface Level {
  column: Field;
  /** Absent if the column's values themselves are the groups. */
  nodes: ReadonlyMap<number, TreeNode> | null;
  order: ReadonlyMap<number, number>;
  /** The row itself represents the value of this column. */
  isLeaf: boolean;
}

function levelsOf(tree: RowTree, columns: readonly Field[], nodes: TreeNodes): Level[] {
  return tree.by.flatMap((name, at): Level[] => {
    const column = columns.find((one) => one.name === name);
    if (!column) return [];
    const known = nodes.get(name);
    return [
      {
        column,
        nodes: known ? new Map(known.map((node) => [node.id, node])) : null,
        order: new Map(known?.map(({ id }, place) => [id, place])),
        isLeaf: known !== undefined && at === tree.by.length - 1,
      },
    ];
  });
}

/** The groups of a row, from the top, according to its columns. */
function pathOf(levels: readonly Level[], row: Row): { part: string; label: string; order: number }[] {
  const path: { part: string; label: string; order: number }[] = [];
  for (const { column, nodes, order, isLeaf } of levels) {
    const value = row[column.name];
    if (value === null || value === undefined || value === '') continue;
    if (!nodes) {
      const named = row[`${column.name}__label`];
      const label = typeof named === 'string' ? named : fieldType(column.type).format(value, column);
      path.push({ part: `${column.name}:${String(value as string | number)}`, label, order: 0 });
      continue;
    }
    const above: TreeNode[] = [];
    const seen = new Set<number>();
    for (let node = nodes.get(value as number); node && !seen.has(node.id); node = nodes.get(node.above ?? 0)) {
      seen.add(node.id);
      above.unshift(node);
    }
    for (const node of isLeaf ? above.slice(0, -1) : above)
      path.push({ part: `${column.name}:${node.id}`, label: node.label, order: order.get(node.id) ?? 0 });
  }
  return path;
}

/**
 * Rows in the order of their tree, each group before its content: first the rows directly in it, in the order of the
 * list, then its subgroups. Rows without a group come last.
 */
export function treeLines(
  tree: RowTree,
  columns: readonly Field[],
  rows: readonly Row[],
  nodes: TreeNodes,
): TreeLine[] {
  const levels = levelsOf(tree, columns, nodes);
  const top: Group = { key: '', label: '', above: null, order: 0, groups: new Map(), own: [] };
  const unplaced: number[] = [];
  const known = new Map<string, Group>();
  rows.forEach((row, at) => {
    const values = JSON.stringify(levels.map(({ column }) => row[column.name] ?? null));
    let group = known.get(values);
    if (!group) {
      group = top;
      for (const { part, label, order } of pathOf(levels, row)) {
        let next: Group | undefined = group.groups.get(part);
        if (!next) {
          const key: string = group === top ? part : `${lastLevel(group.key, part)}${part}`;
          next = { key, label, above: group === top ? null : group, order, groups: new Map(), own: [] };
          group.groups.set(part, next);
        }
        group = next;
      }
      known.set(values, group);
    }
    const isPlaced = levels.some(({ column }) => (row[column.name] ?? null) !== null);
    (isPlaced ? group.own : unplaced).push(at);
  });
  const lines: TreeLine[] = [];
  const add = (group: Group, depth: number): number[] => {
    const above = group === top ? null : group.key;
    for (const at of group.own) lines.push({ kind: 'row', at, above, depth });
    const inside = [...group.own];
    for (const below of [...group.groups.values()].sort((a, b) => a.order - b.order)) {
      const line: GroupLine = { kind: 'group', key: below.key, above, depth, label: below.label, rows: [] };
      lines.push(line);
      line.rows = add(below, depth + 1);
      inside.push(...line.rows);
    }
    return inside;
  };
  add(top, 0);
  for (const at of unplaced) lines.push({ kind: 'row', at, above: null, depth: 0 });
  return lines;
}

/** The prefix of a group's key: the groups of the previous columns; its ancestors add nothing. */
function lastLevel(above: string, part: string): string {
  const column = part.slice(0, part.indexOf(':'));
  const levels = above.split('/').filter((one) => !one.startsWith(`${column}:`));
  return levels.length === 0 ? '' : `${levels.join('/')}/`;
}

/** The columns that have subtotals; amounts with a currency per row, and numbers with a unit per row, cannot be added. */
export function summedColumns(columns: readonly Field[]): Field[] {
  const own = new Set(columns.map(({ name }) => name));
  return columns.filter(({ type, secret, currencyFrom, unitFrom, rows, period }) => {
    const { sum } = fieldType(type).can;
    const adds = sum === 'total' || (sum === 'asked' && period !== undefined && type !== 'percent');
    return adds && !rows && !secret && !own.has(currencyFrom ?? '') && !own.has(unitFrom ?? '');
  });
}

type Sums = Map<string, Decimal>;
const figures = new WeakMap<Row, Sums>();

/** The figures of a row; rows are immutable, so each is read once. */
function figuresOf(columns: readonly Field[], row: Row): Sums {
  let found = figures.get(row);
  if (!found) {
    found = new Map();
    for (const { name } of columns) {
      const value = row[name];
      const number = value === null || value === undefined || value === '' ? null : decimalOf(value);
      if (number) found.set(name, number);
    }
    figures.set(row, found);
  }
  return found;
}

/**
 * The exact subtotals of groups, computed from the rows up; by group key and column. For balances, as `roll` of the
 * period column defines for the group's own periods. A group without figures has none.
 */
export function subtotals(
  columns: readonly Field[],
  rows: readonly Row[],
  lines: readonly TreeLine[],
  roll?: 'sum' | 'last' | 'min' | 'max',
): Map<string, Record<string, unknown>> {
  const summed = summedColumns(columns);
  const sums = new Map<string, Sums>();
  for (const line of lines) if (line.kind === 'group') sums.set(line.key, new Map());
  const into = (key: string | null, from: Sums) => {
    const sum = key === null ? undefined : sums.get(key);
    if (!sum) return;
    for (const [name, figure] of from) {
      const before = sum.get(name);
      sum.set(name, before ? before.plus(figure) : figure);
    }
  };
  // From the bottom: subgroups come after their group.
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!;
    into(line.above, line.kind === 'row' ? figuresOf(summed, rows[line.at]!) : sums.get(line.key)!);
  }
  return new Map([...sums].map(([key, sum]) => [key, valuesOf(summed, rolled(summed, sum, roll))]));
}

function rolled(columns: readonly Field[], sum: Sums, roll: 'sum' | 'last' | 'min' | 'max' = 'sum'): Sums {
  if (roll === 'sum') return sum;
  const result: Sums = new Map(sum);
  const singles = columns.filter(({ period }) => period?.count === 1);
  for (const { name, period } of columns) {
    if (!period || period.count === 1) continue;
    const found = singles.flatMap((one) => {
      const isIn = one.period!.first >= period.first && one.period!.first < period.first + period.count;
      return isIn ? (sum.get(one.name) ?? []) : [];
    });
    if (found.length === 0) result.delete(name);
    else
      result.set(
        name,
        roll === 'last' ? found.at(-1)! : roll === 'min' ? Decimal.min(...found) : Decimal.max(...found),
      );
  }
  return result;
}

/** Sums in the form of records: exact decimals as text, with the decimals of the column. */
function valuesOf(columns: readonly Field[], sum: Sums): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const figure = sum.get(column.name);
      if (!figure) return [];
      const parsed = fieldType(column.type).parse(figure.toFixed(), column);
      return [[column.name, 'value' in parsed ? parsed.value : figure.toFixed()]];
    }),
  );
}
