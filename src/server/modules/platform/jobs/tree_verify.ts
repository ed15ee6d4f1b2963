import { tableName, treeTable } from '../../../db/tables.ts';
import type { Job } from '../../../engine/modules.ts';

/** Compares the reporting tree with the members' managers, and repairs it. */
export const treeVerify: Job = {
  async run({ actor: { tenant } }) {
    const table = tableName(tenant.schema, 'employee');
    const tree = treeTable(tenant.schema, 'employee');
    const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [tree]);
    if (!there?.there) return 'There are no employees yet.';
    const wanted = `with recursive line(ancestor_id, descendant_id, depth) as (
        select id, id, 0 from ${table}
        union all select e.reporting_to_id, l.descendant_id, l.depth + 1 from line l join ${table} e on e.id = l.ancestor_id where e.reporting_to_id is not null and l.depth < 100)
      select ancestor_id, descendant_id, min(depth) as depth from line group by ancestor_id, descendant_id`;
    const repaired = await tenant.db.transaction(async (tx) => {
      await tx.query(`lock table ${tree} in share row exclusive mode`);
      const gone = await tx.query(
        `delete from ${tree} k where not exists (select 1 from (${wanted}) w where w.ancestor_id = k.ancestor_id and w.descendant_id = k.descendant_id and w.depth = k.depth) returning 1`,
      );
      const added = await tx.query(
        `insert into ${tree} (ancestor_id, descendant_id, depth) select w.ancestor_id, w.descendant_id, w.depth from (${wanted}) w on conflict do nothing returning 1`,
      );
      return gone.length + added.length;
    });
    if (repaired > 0) throw new Error(`${repaired} entries of the reporting tree were wrong and have been repaired.`);
    return 'The tree is consistent.';
  },
};
