import type { Job } from '../../../engine/modules.ts';

const PER_STEP = 200;

/** Every morning, blocks batches that have expired. */
export const blockExpired: Job = {
  async run({ company, due, each }) {
    const blocked = await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select id from {stock_batch} where entity_id = $1 and not coalesce(blocked, false) and greatest(expires_on, extended_to) < $2 and id > $3 order by id limit ${PER_STEP}`,
          [company, due.slice(0, 10), after ?? 0],
        ),
      async (unit, rows) => {
        await unit.query(
          `update {stock_batch} set blocked = true, blocked_reason = 'Expired', updated_at = now() where id = any($1::bigint[])`,
          [rows.map(({ id }) => id)],
        );
        return Number(rows.at(-1)!.id);
      },
    );
    return `${blocked} batches blocked.`;
  },
};
