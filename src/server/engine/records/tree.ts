import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { columnFields, columnSql, detailExpression, labelExpression, labels } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, escapeLike, preparedStatement } from '../../db/sql_text.ts';
import { visibleTable } from './visible_sql.ts';

/** The maximum number of nodes per answer: beyond it, a tree is loaded branch by branch. */
const MAX_NODES = 5_000;

/** Serialises changes of a type's tree until the transaction ends. */
export async function lockTree(tx: Queryable, session: Session, screen: Screen): Promise<void> {
  await tx.query(
    preparedStatement('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${session.tenant.schema}.${screen.name} tree`,
    ]),
  );
}

/**
 * Refuses a parent that is the record itself or one of its descendants. Takes the tree's lock first, so that two
 * concurrent moves cannot create a cycle.
 */
export async function checkMove(
  tx: Queryable,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  id: number,
  parent: number | null,
): Promise<void> {
  const { schema } = session.tenant;
  await lockTree(tx, session, screen);
  if (parent === null) return;
  const column = quoted(screen.tree!.parent);
  const table = tableName(schema, screen.name);
  const rows = await tx.query<{ parent: string; child: string; levels: number }>(
    preparedStatement(
      `with recursive up(id, levels) as (select $2::bigint, 0 union all select t.${column}, up.levels + 1 from up join ${table} t on t.id = up.id where t.${column} is not null and up.levels < 100)
       select ${labelExpression(screen, 'p', { screens, schema })} as parent, ${labelExpression(screen, 'c', { screens, schema })} as child, up.levels from up, ${table} p, ${table} c where up.id = $1 and p.id = $2 and c.id = $1 limit 1`,
      [id, parent],
    ),
  );
  const circle = rows[0];
  if (!circle) return;
  const field = screen.fields.find((one) => one.name === screen.tree!.parent)!;
  const message =
    circle.levels === 0
      ? `${circle.child} cannot be below itself. Choose another one for "${field.title}".`
      : `${circle.parent} stands below ${circle.child} (${circle.levels} ${circle.levels === 1 ? 'level' : 'levels'}). Choose another one for "${field.title}".`;
  throw new AppError(422, 'invalid', message, { field: field.name, details: [{ field: field.name, message }] });
}

/** Moves a record with its descendants in the closure table, after its parent changed. */
export async function moveInTree(
  tx: Queryable,
  session: Session,
  screen: Screen,
  id: number,
  parent: number | null,
): Promise<void> {
  const tree = treeTable(session.tenant.schema, screen.name);
  await tx.query(
    preparedStatement(
      `delete from ${tree} t using ${tree} below where below.ancestor_id = $1 and t.descendant_id = below.descendant_id
       and not exists (select 1 from ${tree} inner_ where inner_.ancestor_id = $1 and inner_.descendant_id = t.ancestor_id)`,
      [id],
    ),
  );
  if (parent === null) return;
  await tx.query(
    preparedStatement(
      `insert into ${tree} (ancestor_id, descendant_id, depth) select a.ancestor_id, b.descendant_id, a.depth + b.depth + 1
       from ${tree} a, ${tree} b where a.descendant_id = $2 and b.ancestor_id = $1`,
      [id, parent],
    ),
  );
}

export interface TreeNode {
  id: number;
  parent: number | null;
  label: string;
  detail: string | null;
  children_count: number;
  [column: string]: unknown;
}

/** The nodes of a type's tree that the session may see, from `root` (all roots) down to `depth` levels. */
export async function treeNodes(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  { root, depth, q }: { root: number | null; depth: number | null; q: string },
): Promise<TreeNode[]> {
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const where = ['t.active', ...rowScope(session, screen, screens, 't', values)];
  const parent = quoted(screen.tree!.parent);
  const table = tableName(schema, screen.name);
  if (q !== '')
    where.push(
      `lower(${labelExpression(screen, 't', { screens, schema })}) like ${values.bind(`%${escapeLike(q.toLowerCase())}%`)}`,
    );
  if (root !== null || depth !== null) {
    const limit = values.bind(depth ?? 100);
    const start = root === null ? `s.${parent} is null` : `s.id = ${values.bind(root)}::bigint`;
    where.push(
      `t.id in (with recursive down(id, level) as (select s.id, 0 from ${table} s where ${start} union all select c.id, d.level + 1 from down d join ${table} c on c.${parent} = d.id where d.level < ${limit}::integer) select id from down)`,
    );
  }
  const shown = columnFields(screen.fields).filter(
    (field) => !field.secret && screen.grid.some((column) => column.field === field.name && !column.hidden),
  );
  const label = labels(screens, schema, shown, 't');
  const columns = [
    't.id',
    't.version',
    `t.${parent} as parent`,
    `${labelExpression(screen, 't', { screens, schema })} as label`,
    `${detailExpression(screen, 't', { screens, schema }) ?? 'null'} as detail`,
    `(select count(*)::int from ${table} c where c.${parent} = t.id and c.active) as children_count`,
    ...shown.map((field) => `${columnSql(field, 't')} as ${quoted(field.name)}`),
    ...label,
  ];
  const text = `select ${columns.join(', ')} from ${visibleTable(session, screen, screens, 't', values)} where ${where.join(' and ')} order by lower(${labelExpression(screen, 't', { screens, schema })}), t.id limit ${MAX_NODES}`;
  return db.query<TreeNode>(preparedStatement(text, values.list));
}

/** All descendants of a record, with their depth. Requires the closure table. */
export async function subordinates(
  session: Session,
  screen: Screen,
  id: number,
  depth: number | null,
): Promise<{ id: number; depth: number }[]> {
  const { schema, db } = session.tenant;
  return db.query(
    preparedStatement(
      `select descendant_id as id, depth from ${treeTable(schema, screen.name)} where ancestor_id = $1 and depth between 1 and $2 order by depth, descendant_id limit 20000`,
      [id, depth ?? 1000],
    ),
  );
}
