import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { detailExpression, labelExpression } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, escapeLike, preparedStatement } from '../../db/sql_text.ts';

/** The maximum number of nodes per answer: beyond it, levels are loaded branch by branch. */
const MAX_NODES = 5_000;
/** More than the maximum number of levels: a node's id is its record's id times this, plus its level. */
const LEVELS = 16;

/**
 * A record in a hierarchy of several types. `id` and `parent` identify nodes across types; `record` is the id within
 * `type`.
 */
export interface HierarchyNode {
  id: number;
  parent: number | null;
  type: string;
  record: number;
  version: number;
  label: string;
  detail: string | null;
  children_count: number;
}

interface Level {
  screen: Screen;
  /** The reference to the level above; null at the top. */
  parent: string | null;
}

/** The types of a hierarchy from the top, up to the first that the session may not list. */
function levelsOf(session: Session, screen: Screen, screens: Map<string, Screen>): Level[] {
  const levels: Level[] = [{ screen, parent: null }];
  for (const { type, parent } of screen.hierarchy!.levels) {
    const below = screens.get(type);
    if (!below || session.rights.refuse(below, 'landing') !== null) break;
    levels.push({ screen: below, parent });
  }
  return levels;
}

/**
 * The nodes of a hierarchy that the session may see: all, level by level up to the limit; those directly below the node
 * `root`; or those containing the text `q`, with their ancestors.
 */
export async function hierarchyNodes(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  { root, q }: { root: number | null; q: string },
): Promise<HierarchyNode[]> {
  const { schema, db } = session.tenant;
  const levels = levelsOf(session, screen, screens);
  const read = async (
    at: number,
    limit: number,
    condition?: (values: SqlParams) => string,
  ): Promise<HierarchyNode[]> => {
    const { screen: type, parent } = levels[at]!;
    const values = new SqlParams();
    const where = [
      't.active',
      ...rowScope(session, type, screens, 't', values),
      ...(condition ? [condition(values)] : []),
    ];
    const below = levels[at + 1];
    const count = below
      ? `(select count(*)::int from ${tableName(schema, below.screen.name)} c where ${[`c.${quoted(below.parent!)} = t.id`, 'c.active', ...rowScope(session, below.screen, screens, 'c', values)].join(' and ')})`
      : '0';
    const label = labelExpression(type, 't', { screens, schema });
    const text = `select t.id * ${LEVELS} + ${at} as id, ${parent === null ? 'null::bigint' : `t.${quoted(parent)} * ${LEVELS} + ${at - 1}`} as parent, '${type.name}' as type, t.id as record, t.version,
      ${label} as label, ${detailExpression(type, 't', { screens, schema }) ?? 'null::text'} as detail, ${count} as children_count
      from ${tableName(schema, type.name)} t where ${where.join(' and ')} order by lower(${label}), t.id limit ${values.bind(limit)}`;
    return db.query<HierarchyNode>(preparedStatement(text, values.list));
  };

  if (root !== null) {
    const at = (root % LEVELS) + 1;
    const parent = levels[at]?.parent;
    return parent == null
      ? []
      : read(at, MAX_NODES, (values) => `t.${quoted(parent)} = ${values.bind(Math.floor(root / LEVELS))}::bigint`);
  }
  if (q === '') {
    const nodes = await read(0, MAX_NODES);
    for (let at = 1; at < levels.length; at += 1) {
      const room = MAX_NODES - nodes.length;
      const level = await read(at, room + 1);
      // An incomplete level would look complete: the client loads it when it is opened.
      if (level.length > room) break;
      nodes.push(...level);
    }
    return nodes;
  }
  const found: HierarchyNode[] = [];
  let above: number[] = [];
  for (let at = levels.length - 1; at >= 0; at -= 1) {
    const { screen: type } = levels[at]!;
    const texts = [
      labelExpression(type, 't', { screens, schema }),
      detailExpression(type, 't', { screens, schema }),
    ].filter((one) => one !== null);
    const needed = above;
    const level = await read(at, MAX_NODES, (values) => {
      const wanted = values.bind(`%${escapeLike(q.toLowerCase())}%`);
      return `(${texts.map((one) => `lower(${one}) like ${wanted}`).join(' or ')} or t.id = any(${values.bind(needed)}::bigint[]))`;
    });
    found.push(...level);
    above = [...new Set(level.flatMap(({ parent }) => (parent === null ? [] : [Math.floor(parent / LEVELS)])))];
  }
  return found;
}
