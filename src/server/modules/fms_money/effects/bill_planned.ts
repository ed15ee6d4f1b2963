import type { Effect } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;

/** Planned bills are billed together with the bill that includes them; cancelling the bill makes them due again. */
export const billPlanned: Effect = {
  async apply({ unit, record }) {
    const ids = (record.lines as Row[]).flatMap(({ billing_schedule_id: id }) => (typeof id === 'number' ? [id] : []));
    if (ids.length === 0) return [];
    const done = await unit.query<{ id: number }>(
      `update {billing_schedule} set status = 'billed', version = version + 1, updated_at = now()
       where id = any($1::bigint[]) and billing_id = $2 and status = 'drafted' returning id`,
      [ids, record.id],
    );
    if (done.length !== ids.length)
      unit.refuse(
        [
          {
            field: 'lines',
            message: 'A planned bill in these lines is on another bill or has changed. Remove its line.',
          },
        ],
        409,
      );
    return ids;
  },
  async reverse({ unit, record }) {
    await unit.query(
      `update {billing_schedule} set status = 'planned', billing_id = null, version = version + 1, updated_at = now()
       where billing_id = $1 and status = 'billed'`,
      [record.id],
    );
  },
};
