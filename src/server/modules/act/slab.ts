import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** The entry under "For" of Mail configuration, by that of a slab; steps of cases are tasks. */
const MAILS: Readonly<Record<string, string>> = {
  ticket: 'ticket',
  approval: 'approval',
  filing: 'filing',
  checklist: 'chk_task_instance',
  case: 'chk_task_instance',
};

export default defineHooks({
  /** The mails of bands are for the records of the slab: others have none of their words. */
  async check({ tenant: { db, schema } }, record) {
    const bands = (record.bands as Record<string, unknown>[] | null | undefined) ?? [];
    const ids = bands.flatMap(({ esclation_id: id }) => (typeof id === 'number' ? id : []));
    if (ids.length === 0) return [];
    const fitting = await db.query<{ id: number }>(
      `select id from ${tableName(schema, 'esclation')} where id = any($1::bigint[]) and module = $2`,
      [ids, MAILS[String(record.applies_to)] ?? null],
    );
    const fit = new Set(fitting.map(({ id }) => id));
    return bands.flatMap(({ esclation_id: id }, at) =>
      typeof id === 'number' && !fit.has(id)
        ? {
            field: `bands.${at}.esclation_id`,
            message: 'This mail is for other records. Choose one for those of the slab.',
          }
        : [],
    );
  },
});
