import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../descriptor/types.ts';
import { childTable } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Record<string, unknown>;

/** The estimated drivers of a node take at most the whole of it, and each percentage belongs to a driver of the tree. */
export default defineHooks({
  async check({ tenant }, record) {
    const rows = (Array.isArray(record.weights) ? record.weights : []) as Row[];
    const errors: FieldError[] = [];
    for (const [parent, own] of Map.groupBy(rows, ({ parent_no: no }) => no)) {
      const sum = own.reduce((all, { impact_percent: part }) => all.plus(String(part ?? 0)), new Decimal(0));
      if (sum.gt(100))
        errors.push({
          field: `weights.${rows.indexOf(own[0]!)}.impact_percent`,
          message: `The drivers of node ${String(parent)} add up to ${sum.toString()} %. The maximum is 100 %.`,
        });
    }
    if (typeof record.tree_id !== 'number') return errors;
    const judged = await tenant.db.query<{ no: number; parent: number }>(
      preparedStatement(
        `select node_no as no, parent_no as parent from ${childTable(tenant.schema, 'kpi_impact_tree', 'nodes')}
         where parent_id = $1 and relation = 'judged'`,
        [record.tree_id],
      ),
    );
    const links = new Set(judged.map(({ no, parent }) => `${parent} ${no}`));
    for (const [at, { parent_no: parent, child_no: child }] of rows.entries())
      if (typeof parent === 'number' && typeof child === 'number' && !links.has(`${parent} ${child}`))
        errors.push({
          field: `weights.${at}.child_no`,
          message: `Node ${child} is no driver of node ${parent} with an estimated impact.`,
        });
    return errors;
  },
});
