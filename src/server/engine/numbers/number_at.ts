import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { numberOf, seriesOf, takenUpTo } from '../records/numbering.ts';
import { refusalOf } from '../records/uniqueness.ts';
import { unitOf } from '../records/unit_of_work.ts';
import { Values, named } from '../../db/sql_text.ts';

/**
 * Gives a record the number that its type has at a transition, unless it has one: the counter is locked last, and goes
 * back with the act. The number joins the history of that act. A preview shows it masked and locks no counter.
 * @returns the record with its number
 */
export async function numberAt(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  record: WireRecord,
  transition: string,
): Promise<WireRecord> {
  const { numberAt: given } = screen;
  if (given?.on !== transition || record[given.field]) return record;
  const { db, schema } = session.tenant;
  const numbered: Screen = { ...screen, number: given };
  const series = await (await seriesOf(db, session, numbered, screens))(record);
  if (unitOf(session)?.preview === true)
    return { ...record, [given.field]: `${series.before}${'·'.repeat(series.width)}${series.after}` };
  const values = new Values();
  const key = values.bind(series.key);
  const [taken] = await db.query<{ value: number }>(
    named(
      `insert into ${quoted(schema)}.number_counter (key, value) select ${key}, ${takenUpTo(session, numbered, series, values)} + 1
       on conflict (key) do update set value = greatest(number_counter.value + 1, excluded.value) returning value`,
      values.list,
    ),
  );
  const number = numberOf(given, series, taken!.value);
  await db
    .query(
      named(`update ${tableName(schema, screen.name)} set ${quoted(given.field)} = $2 where id = $1`, [
        record.id,
        number,
      ]),
    )
    .catch((error: unknown) => {
      throw refusalOf(error, screen, { ...record, [given.field]: number });
    });
  await db.query(
    named(
      `update ${quoted(schema)}.history set change = coalesce(change, '{}') || jsonb_build_object($3::text, jsonb_build_array(null, $4::text))
       where id = (select max(id) from ${quoted(schema)}.history where record_type = $1 and record_id = $2)`,
      [screen.name, record.id, given.field, number],
    ),
  );
  return { ...record, [given.field]: number };
}
