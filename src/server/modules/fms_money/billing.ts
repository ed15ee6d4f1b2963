import { invalid } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Record<string, unknown>;

/** Drafts hold their planned bills, so that no other bill includes them; a deleted line or draft releases them. */
export default defineHooks({
  async saved({ tenant: { db, schema } }, record) {
    if (record.status !== 'draft') return;
    const ids = ((record.lines ?? []) as Row[]).flatMap(({ billing_schedule_id: id }) =>
      typeof id === 'number' ? [id] : [],
    );
    const plan = tableName(schema, 'billing_schedule');
    // A new draft holds nothing yet.
    if (record.version > 1)
      await db.query(
        `update ${plan} set status = 'planned', billing_id = null, version = version + 1
         where billing_id = $1 and status = 'drafted' and id <> all($2::bigint[])`,
        [record.id, ids],
      );
    if (ids.length === 0) return;
    const [held] = await db.query<{ count: number }>(
      preparedStatement(
        `with taken as (update ${plan} set status = 'drafted', billing_id = $1, version = version + 1
           where id = any($2::bigint[]) and status = 'planned' returning id)
         select (select count(*) from taken)::int
           + (select count(*) from ${plan} where id = any($2::bigint[]) and status = 'drafted' and billing_id = $1)::int as count`,
        [record.id, ids],
      ),
    );
    if (held!.count !== ids.length)
      throw invalid([
        { field: 'lines', message: 'A planned bill in these lines is on another bill or on hold. Remove its line.' },
      ]);
  },
  async leave({ tenant: { db, schema } }, { id }, how) {
    if (how !== 'delete') return null;
    await db.query(
      `update ${tableName(schema, 'billing_schedule')} set status = 'planned', billing_id = null, version = version + 1
       where billing_id = $1 and status = 'drafted'`,
      [id],
    );
    return null;
  },
});
