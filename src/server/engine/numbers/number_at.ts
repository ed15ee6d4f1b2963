import { openingNumber } from '../../../descriptor/workflow.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { Series } from '../records/numbering.ts';
import { numberOf, seriesOf, takeAside, takeNumbers } from '../records/numbering.ts';
import { refusalOf } from '../records/uniqueness.ts';
import { unitOf } from '../records/unit_of_work.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** A record in a preview with its future number, the counter masked. */
export async function withMaskedNumber(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  record: WireRecord,
): Promise<WireRecord> {
  const { number } = screen;
  if (!number || record[number.field]) return record;
  const series = await (await seriesOf(session.tenant.db, session, screen, screens))(record);
  return { ...record, [number.field]: masked(series) };
}

const masked = ({ before, width, after }: Series): string => `${before}${'·'.repeat(width)}${after}`;

/**
 * Assigns a record the number that its type assigns at a transition, unless it has one: the counter is locked last, and
 * is rolled back with the transaction. The number is added to the history of the transition. A preview shows it masked
 * and does not lock a counter.
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
  if (!given?.on.includes(transition) || record[given.field]) return record;
  const { db, schema } = session.tenant;
  // Imported records may already use numbers of the series.
  const mixed = openingNumber(screen) !== undefined ? { mixed: true as const } : {};
  const numbered: Screen = { ...screen, number: { ...given, ...mixed } };
  const series = await (await seriesOf(db, session, numbered, screens))(record);
  if (unitOf(session)?.preview === true) return { ...record, [given.field]: masked(series) };
  const value =
    given.gapless === false
      ? await takeAside(session, numbered, series)
      : await takeNumbers(db, session, numbered, series);
  const number = numberOf(given, series, value);
  await db
    .query(
      preparedStatement(`update ${tableName(schema, screen.name)} set ${quoted(given.field)} = $2 where id = $1`, [
        record.id,
        number,
      ]),
    )
    .catch((error: unknown) => {
      throw refusalOf(error, screen, { ...record, [given.field]: number });
    });
  await db.query(
    preparedStatement(
      `update ${quoted(schema)}.history set change = coalesce(change, '{}') || jsonb_build_object($3::text, jsonb_build_array(null, $4::text))
       where id = (select max(id) from ${quoted(schema)}.history where record_type = $1 and record_id = $2)`,
      [screen.name, record.id, given.field, number],
    ),
  );
  return { ...record, [given.field]: number };
}
