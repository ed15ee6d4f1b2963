import type { CollectionColumn } from '../../../domain/review/collection_question.ts';
import { questionsOf } from '../../../domain/review/collection_question.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';

/** The number of rows from which the columns of a collection are recognised. */
const EXAMINED = 1_000;

/** Stores with a collection what its columns allow to ask, after its rows have changed. */
export async function storeQuestions(tx: Queryable, schema: string, id: number): Promise<void> {
  const columns = await tx.query<CollectionColumn>(
    `select e.key as name,
       bool_and(e.text ~ '^-?[0-9]+(\\.[0-9]+)?$') as "isNumber",
       bool_and(e.kind = 'string') as "isText",
       bool_and(e.text ~ '^[0-9]{4}-(0[1-9]|1[0-2])(-[0-9]{2}([T ].*)?)?$') as "isDate"
     from (select x.key, x.value #>> '{}' as text, jsonb_typeof(x.value) as kind
       from (select data from ${quoted(schema)}.collection_row where collection_id = $1 limit ${EXAMINED}) r cross join jsonb_each(r.data) x) e
     where e.text <> '' and e.kind in ('string', 'number') and e.key ~ '^[a-z][a-z0-9_]{0,62}$'
     group by e.key order by e.key`,
    [id],
  );
  // A collection without rows at the moment keeps what it was known to have.
  if (columns.length === 0) return;
  await tx.query(`update ${tableName(schema, 'analytics_collection')} set questions = $2 where id = $1`, [
    id,
    JSON.stringify(questionsOf(columns)),
  ]);
}
