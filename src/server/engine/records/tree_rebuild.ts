import type { Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { lockTree } from './tree.ts';

/** The maximum number of records below no root in which a loop is searched. */
const MAX_UNPLACED = 5_000;
/** The number of records of a loop that a message names. */
const NAMED = 5;

interface Unplaced extends Record<string, unknown> {
  id: number;
  parent: number;
  name: string;
}

/** SQL of a record's name in a message; its id if its label is a reference. */
const nameOf = ({ label: [label], fields }: Screen): string =>
  fields.some(({ name, type }) => name === label && ['text', 'code'].includes(type))
    ? `t.${quoted(label!)}`
    : 't.id::text';

/** The names along a loop, the first one again at its end; null = it is not among these records. */
function loopOf(records: readonly Unplaced[]): string[] | null {
  const known = new Map(records.map((record) => [record.id, record]));
  const seen = new Set<number>();
  let at = records[0];
  while (at && !seen.has(at.id)) {
    seen.add(at.id);
    at = known.get(at.parent);
  }
  if (!at) return null;
  const names = [at.name];
  for (let next = known.get(at.parent)!; next.id !== at.id; next = known.get(next.parent)!) names.push(next.name);
  return [...names, at.name];
}

const inWords = (loop: readonly string[]): string =>
  (loop.length > NAMED + 1 ? [...loop.slice(0, NAMED), '…', loop.at(-1)!] : loop).join(' → ');

/** Rebuilds the closure table of a type from the parents, after many rows changed. @throws AppError 422 on a cycle */
export async function rebuildTree(tx: Queryable, session: Session, screen: Screen): Promise<void> {
  const { schema } = session.tenant;
  const [table, tree, parent] = [
    tableName(schema, screen.name),
    treeTable(schema, screen.name),
    quoted(screen.tree!.parent),
  ];
  await lockTree(tx, session, screen);
  const unplaced = await tx.query<Unplaced>(
    preparedStatement(
      `with recursive down(id) as (select id from ${table} where ${parent} is null union all select t.id from down join ${table} t on t.${parent} = down.id)
       select t.id, t.${parent} as parent, ${nameOf(screen)} as name from ${table} t where not exists (select 1 from down where down.id = t.id) order by t.id limit ${MAX_UNPLACED}`,
      [],
    ),
  );
  if (unplaced.length > 0) {
    const loop = loopOf(unplaced);
    const who = loop === null ? `These ${inSentence(screen.plural)} would` : `${inWords(loop)} would`;
    throw new AppError(422, 'invalid', `${who} form a loop. Correct the parents and try again.`, {
      field: screen.tree!.parent,
    });
  }
  await tx.query(preparedStatement(`delete from ${tree}`, []));
  // A top-level record needs no lock: one added since the delete has added its own row.
  await tx.query(
    preparedStatement(
      `with recursive up(ancestor_id, descendant_id, depth) as (select id, id, 0 from ${table} union all select t.${parent}, up.descendant_id, up.depth + 1 from up join ${table} t on t.id = up.ancestor_id where t.${parent} is not null)
       insert into ${tree} (ancestor_id, descendant_id, depth) select ancestor_id, descendant_id, depth from up on conflict do nothing`,
      [],
    ),
  );
}
