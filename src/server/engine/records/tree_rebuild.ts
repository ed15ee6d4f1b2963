import type { Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { lockTree } from './tree.ts';

/** Rebuilds the closure table of a type from the parents, after many rows changed. @throws AppError 422 on a cycle */
export async function rebuildTree(tx: Queryable, session: Session, screen: Screen): Promise<void> {
  const { schema } = session.tenant;
  const [table, tree, parent] = [
    tableName(schema, screen.name),
    treeTable(schema, screen.name),
    quoted(screen.tree!.parent),
  ];
  await lockTree(tx, session, screen);
  const [circle] = await tx.query<{ id: number }>(
    preparedStatement(
      `with recursive down(id) as (select id from ${table} where ${parent} is null union all select t.id from down join ${table} t on t.${parent} = down.id) select t.id from ${table} t where not exists (select 1 from down where down.id = t.id) limit 1`,
      [],
    ),
  );
  if (circle)
    throw new AppError(
      422,
      'invalid',
      `These ${inSentence(screen.plural)} would form a loop. Correct the parents and try again.`,
      { field: screen.tree!.parent },
    );
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
