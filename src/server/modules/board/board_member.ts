import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  /** A DIN belongs to one person, who is named. */
  async check({ tenant: { db, schema } }, record, stored) {
    const { din } = record;
    if (typeof din !== 'string' || din === '' || din === stored?.din) return [];
    const [other] = await db.query<{ name: string }>(
      `select name from ${tableName(schema, 'board_member')} where din = $1 and active and id <> $2 limit 1`,
      [din, stored?.id ?? 0],
    );
    return other ? [{ field: 'din', message: `DIN ${din} belongs to ${other.name}.` }] : [];
  },
});
