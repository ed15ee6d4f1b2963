import { subtotals, treeLines } from '../../../descriptor/row_tree.ts';
import type { TreeLine, TreeNode } from '../../../descriptor/row_tree.ts';
import type { RowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { columnFields, labelExpression } from '../../db/columns.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { isSame } from './history.ts';
import { choosable } from './options.ts';

type Row = Record<string, unknown>;

/** The maximum number of records per column in one call. */
const MAX_IDS = 20_000;
/** Deeper than any tree is. */
const MAX_LEVELS = 100;

/** The rows field in an address, if its rows form a tree. @throws AppError 404 */
export function fieldInTree(screen: Screen, name: string): Field {
  const field = screen.fields.find((one) => one.name === name);
  if (!field?.rowTree) throw notFound();
  return field;
}

/** Parses the records whose ancestors are requested, by column. @throws AppError 400 */
export function idsByColumn(field: Field, body: Row): Map<string, number[]> {
  return new Map(
    field.rowTree!.by.flatMap((name) => {
      const ids = body[name] ?? [];
      if (!Array.isArray(ids) || ids.length > MAX_IDS || !ids.every((id) => Number.isSafeInteger(id)))
        throw new AppError(400, 'bad_request', `${name} is a list of ids.`, { field: name });
      return ids.length === 0 ? [] : [[name, ids as number[]] as const];
    }),
  );
}

/**
 * The records that rows refer to, with all ancestors, in the order of their type; by column. A column whose values are
 * the groups has none.
 */
export async function nodesAbove(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  field: Field,
  ids: ReadonlyMap<string, readonly number[]>,
): Promise<Map<string, TreeNode[]>> {
  const found = new Map<string, TreeNode[]>();
  for (const name of field.rowTree!.by) {
    const ref = field.rows!.find((column) => column.name === name)?.ref;
    const of = ref && screens.get(ref.type);
    if (!of?.tree) continue;
    found.set(name, await nodesOf(session, screens, of, ref, ids.get(name) ?? []));
  }
  return found;
}

async function nodesOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  ref: Field['ref'],
  ids: readonly number[],
): Promise<TreeNode[]> {
  if (ids.length === 0) return [];
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const table = tableName(schema, screen.name);
  const parent = quoted(screen.tree!.parent);
  const wanted = values.bind([...new Set(ids)]);
  const where = choosable(session, screen, screens, ref, values);
  const sorted = screen.sort.flatMap((written) => {
    const name = written.replace(/^-/, '');
    const own = columnFields(screen.fields).some((one) => one.name === name && !one.ref && !one.secret && !one.custom);
    return own ? [`t.${quoted(name)}${written.startsWith('-') ? ' desc' : ''}`] : [];
  });
  const label = labelExpression(screen, 't', { screens, schema });
  return db.query<TreeNode>(
    preparedStatement(
      `with recursive up(id, level) as (select id, 0 from ${table} where id = any(${wanted}::bigint[])
         union select t.${parent}, up.level + 1 from up join ${table} t on t.id = up.id where t.${parent} is not null and up.level < ${MAX_LEVELS})
       select t.id, t.${parent} as above, ${label} as label from ${table} t
       where ${[`t.id in (select id from up)`, ...where].join(' and ')} order by ${[...sorted, `lower(${label})`, 't.id'].join(', ')}`,
      values.list,
    ),
  );
}

/** The rows of a record in the order of their tree. */
export async function linesOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  field: Field,
  rows: readonly Row[],
): Promise<TreeLine[]> {
  const ids = new Map(
    field.rowTree!.by.map((name) => [
      name,
      rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : [])) as number[],
    ]),
  );
  return treeLines(field.rowTree!, field.rows!, rows, await nodesAbove(session, screens, field, ids));
}

/** A line of the tree in the answer: for a group its subtotals, for a row its id. */
export interface AnsweredLine {
  depth: number;
  above: string | null;
  /** Of a group. */
  key?: string;
  label?: string;
  rows?: number;
  sums?: Record<string, unknown>;
  /** Of a row. */
  id?: number;
}

/** The tree of a record's rows with its subtotals. */
export async function rowTreeOf(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  field: Field,
  rows: readonly Row[],
): Promise<AnsweredLine[]> {
  const lines = await linesOf(session, screens, field, rows);
  const sums = subtotals(field.rows!, rows, lines, field.periods?.roll);
  return lines.map((line) =>
    line.kind === 'row'
      ? { depth: line.depth, above: line.above, id: rows[line.at]!.id as number }
      : {
          depth: line.depth,
          above: line.above,
          key: line.key,
          label: line.label,
          rows: line.rows.length,
          sums: sums.get(line.key) ?? {},
        },
  );
}

/** A figure typed on a group. */
export interface SentFigure {
  group: string;
  field: string;
  total: unknown;
}

/** The maximum number of groups in one save. */
const MAX_FIGURES = 100;

/** Parses the figures typed on groups. @throws AppError 400 */
export function readFigures(field: Field, sent: Row): SentFigure[] {
  const { groups = [] } = sent;
  const isFigure = (one: unknown): one is SentFigure =>
    one !== null &&
    typeof one === 'object' &&
    typeof (one as SentFigure).group === 'string' &&
    typeof (one as SentFigure).field === 'string';
  if (!Array.isArray(groups) || groups.length > MAX_FIGURES || !groups.every(isFigure))
    throw new AppError(400, 'bad_request', 'groups is a list of {"group","field","total"}.', { field: 'groups' });
  return field.rowTree ? groups : [];
}

/**
 * Adds the figures typed on groups to the history of a save, under "=<group>" beside the rows. They are verified: a
 * figure that the group does not have after the save is left out.
 */
export async function noteFigures(
  session: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  field: Field,
  { id, rows, written }: { id: number; rows: readonly Row[]; written: RowsChange },
  figures: readonly SentFigure[],
): Promise<void> {
  const lines = await linesOf(session, screens, field, rows);
  const sums = subtotals(field.rows!, rows, lines, field.periods?.roll);
  const noted: Record<string, Record<string, [unknown, unknown]>> = {};
  for (const { group, field: name, total } of figures) {
    const line = lines.find((one) => one.kind === 'group' && one.key === group);
    const column = field.rows!.find((one) => one.name === name);
    if (line?.kind !== 'group' || !column) continue;
    const after = sums.get(group)?.[name] ?? null;
    if (!isSame(column, after, total)) continue;
    const before = line.rows.map((at) => {
      const pair = written[String(rows[at]!.id)]?.[name];
      return Array.isArray(pair) ? { ...rows[at], [name]: pair[0] as unknown } : { ...rows[at] };
    });
    const was = subtotals([column], before, [
      { ...line, above: null },
      ...before.map((_, at) => ({ kind: 'row' as const, at, above: group, depth: 1 })),
    ]);
    (noted[`=${line.label}`] ??= {})[name] = [was.get(group)?.[name] ?? null, after];
  }
  if (Object.keys(noted).length === 0) return;
  const { schema, db } = session.tenant;
  await db.query(
    preparedStatement(
      `update ${quoted(schema)}.history set change = jsonb_set(change, array[$3::text], change -> $3::text || $4::jsonb)
       where id = (select max(id) from ${quoted(schema)}.history where record_type = $1 and record_id = $2)`,
      [screen.name, id, field.name, JSON.stringify(noted)],
    ),
  );
}
