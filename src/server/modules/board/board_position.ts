import { formatDate } from '../../../descriptor/format.ts';
import { vacantDays } from '../../../domain/board/vacancy.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

const dayOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export default defineHooks({
  /** The days without a holder count on from here every night. */
  fill(session, record) {
    const { vacant_since: since, sanctioned_on: created, holder_id: holder } = record;
    const today = dayIn(placeOf(session).timezone);
    const seat = { vacant_since: dayOf(since), sanctioned_on: dayOf(created) };
    return { vacant_days: vacantDays(seat, typeof holder === 'number', today) };
  },
  /** A seat is abolished only from a day on which nobody holds it. */
  async check({ tenant: { db, schema } }, record, stored) {
    const { abolished_on: day } = record;
    if (stored === null || typeof day !== 'string' || day === stored.abolished_on) return [];
    if (!(await existingTables(db, schema)).has('board_tenure')) return [];
    const [holder] = await db.query<{ name: string; until: string | null }>(
      `select m.name, t.until_date::text as until from ${tableName(schema, 'board_tenure')} t join ${tableName(schema, 'board_member')} m on m.id = t.board_member_id
       where t.seat_id = $1 and t.active and t.state in ('approved', 'active') and (t.until_date is null or t.until_date >= $2::date) limit 1`,
      [stored.id, day],
    );
    if (!holder) return [];
    const until = holder.until === null ? '' : ` until ${formatDate(holder.until)}`;
    return [
      {
        field: 'abolished_on',
        message: `${holder.name} holds the seat${until}. End the term first, or choose a later day.`,
      },
    ];
  },
});
