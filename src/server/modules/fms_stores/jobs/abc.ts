import { abcClasses } from '../../../../domain/fms_stores/reorder.ts';
import type { Job } from '../../../engine/modules.ts';

interface Used {
  item: number;
  value: string;
  abc: string | null;
}

/** Every Sunday, classifies items by the value of a year's use in all companies together (5.14). */
export const abc: Job = {
  elevated: true,
  async run({ due, each }) {
    const changed = await each(
      async (unit, after) => {
        if (after !== null && after !== undefined) return [];
        const used = await unit.query<Used>(
          `select l.item_id as item, (-sum(l.value_delta))::text as value, max(i.abc) as abc from {stock_ledger} l join {item_mstr} i on i.id = l.item_id
           where l.kind = 'out' and l.value_delta < 0 and l.posting_at >= $1::date - 365 group by l.item_id`,
          [due.slice(0, 10)],
        );
        const before = new Map(used.map((one) => [one.item, one.abc]));
        return abcClasses(used.map(({ item, value }) => ({ item, value }))).filter(
          ({ item, abc: next }) => before.get(item) !== next,
        );
      },
      async (unit, items) => {
        for (const { item, abc: next } of items) await unit.elevated().update('item_mstr', Number(item), { abc: next });
        return 'done';
      },
    );
    return `${changed} items reclassified.`;
  },
};
