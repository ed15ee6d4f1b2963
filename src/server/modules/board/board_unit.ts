import { existingTables } from '../../db/existing_tables.ts';
import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  /** A unit is dissolved only when nobody holds a seat in it and no meeting is open. */
  async check({ tenant: { db, schema } }, record, stored) {
    if (record.state !== 'dissolved' || stored === null || stored.state === 'dissolved') return [];
    const there = await existingTables(db, schema);
    const table = (type: string) => tableName(schema, type);
    const named = async (type: string, text: string) =>
      there.has(type) ? (await db.query<{ name: string }>(text, [stored.id])).map(({ name }) => name).join(', ') : '';
    const held = await named(
      'board_tenure',
      `select distinct m.name from ${table('board_tenure')} t join ${table('board_member')} m on m.id = t.board_member_id
       where t.unit_id = $1 and t.state = 'active' and t.active order by m.name`,
    );
    const open = await named(
      'board_meeting',
      `select number as name from ${table('board_meeting')} where unit_id = $1 and active and state in ('planned', 'called', 'held', 'minuted') order by held_on`,
    );
    return [
      ...(held === '' ? [] : [`Seats are held by ${held}. End their terms first.`]),
      ...(open === '' ? [] : [`Meetings are open: ${open}. Enter their minutes or cancel them first.`]),
    ].map((message) => ({ field: 'state', message }));
  },
});
