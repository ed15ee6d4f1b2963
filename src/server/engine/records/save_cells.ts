import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ROWS_VERSION } from '../../../descriptor/words/field/x_save.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { isRowKey } from '../../../descriptor/rows_change.ts';
import { withChangedRows } from './changed_rows.ts';
import type { CellConflict, SentRows } from './merge_cells.ts';
import { mergeCells } from './merge_cells.ts';
import { readRecord, readRecords } from './read.ts';
import { updateRows } from './write.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** A cell that somebody else changed in the meantime, and who did. */
export interface ReportedConflict extends CellConflict {
  by: string | null;
  at: string | null;
}

/** The result of sent cells. */
export interface CellsAnswer {
  /** The current record; of its rows only those written by this save, `{set, add, remove}`. */
  record: WireRecord;
  conflicts: ReportedConflict[];
  /** Errors in rows that were not saved, under `<rows>.set.<id>.<column>` or `<rows>.add.<place>.<column>`. */
  refused: FieldError[];
}

/** The number of conflicts per call whose author is looked up. */
const MAX_REPORTED = 200;

/** The rows field in an address, if its rows are saved separately. @throws AppError 404 */
export function fieldSavedApart(screen: Screen, name: string): Field {
  const field = screen.fields.find((one) => one.name === name);
  if (field?.saveBy !== 'row') throw notFound();
  return field;
}

/**
 * Saves cells of rows, each compared with the value that the person saw; within a unit that has locked the record. An
 * error refuses only its row. `wrote` receives the history; it is not called if nothing was saved.
 * @throws AppError 404; 409 `conflict` if no cell was saved and somebody else changed them; 422 if all have errors
 */
export async function saveCells(context: WriteContext, field: Field, id: number, sent: SentRows): Promise<CellsAnswer> {
  const ids = [...sent.cells.map((cells) => cells.id), ...sent.remove];
  let conflicts: CellConflict[] = [];
  const refused: FieldError[] = [];
  const wrong = new Set<string>();
  for (;;) {
    const insert = sent.insert.map((row, at) => ({ row, at })).filter(({ at }) => !wrong.has(`add.${at}`));
    const part = (stored: Row) => {
      const { set, remove, conflicts: found } = mergeCells(field.rows!, stored[field.name] as Row[], sent);
      conflicts = found;
      for (const row of set.keys()) if (wrong.has(`set.${row}`)) set.delete(row);
      return { set: Object.fromEntries(set), add: insert.map(({ row }) => row), remove };
    };
    try {
      const record = await updateRows(context, field, id, ids, part);
      if (record) return { record, conflicts: await namedConflicts(context, field, id, conflicts), refused };
      break;
    } catch (error) {
      const found = error instanceof AppError && error.status === 422 ? error.details : [];
      const places = found.map((one) => ({ ...one, field: asSent(one.field, field, insert) }));
      const rows = new Set(places.map((one) => rowOf(one.field, field)).filter((row) => row !== null));
      // A finding about anything other than a sent row refuses everything.
      if (rows.size === 0 || places.some((one) => rowOf(one.field, field) === null)) throw error;
      refused.push(...places);
      for (const row of rows) wrong.add(row);
    }
  }
  if (conflicts.length > 0)
    throw new AppError(409, 'conflict', 'Others changed these cells in the meantime.', {
      extra: { conflicts: await namedConflicts(context, field, id, conflicts), refused },
    });
  if (refused.length > 0)
    throw new AppError(422, 'invalid', refused[0]!.message, { field: refused[0]!.field, details: refused });
  const { session, screen, screens } = context;
  const record = await readRecord(session, screen, screens, id);
  return { record: withChangedRows(screen, record, {}), conflicts: [], refused: [] };
}

/** "set.41" or "add.0" from the path of a finding; null = it is not about a sent row. */
function rowOf(path: string, field: Field): string | null {
  const [name, how, at] = path.split('.');
  return name === field.name && (how === 'set' || how === 'add') && at !== undefined ? `${how}.${at}` : null;
}

/** A path with the position of a new row among all sent rows. */
function asSent(path: string, field: Field, insert: readonly { at: number }[]): string {
  const [name, how, at, ...rest] = path.split('.');
  if (name !== field.name || how !== 'add') return path;
  return [name, how, insert[Number(at)]?.at ?? at, ...rest].join('.');
}

/** Conflicts with the last person who changed the cell, and when. */
async function namedConflicts(
  { session, screen }: WriteContext,
  field: Field,
  id: number,
  conflicts: readonly CellConflict[],
): Promise<ReportedConflict[]> {
  if (conflicts.length === 0) return [];
  const { schema, db } = session.tenant;
  const asked = conflicts.slice(0, MAX_REPORTED);
  const rows = await db.query<{ place: number; by: string | null; at: string }>(
    preparedStatement(
      `select k.place::int as place, l.at, l.by
       from jsonb_to_recordset($4::jsonb) k(place bigint, key text, name text)
       cross join lateral (select h.at, u.name as by from ${quoted(schema)}.history h
         left join ${peopleTable(schema)} u on u.id = h.by
         where h.record_type = $1 and h.record_id = $2 and (k.name is null or h.change -> $3::text -> k.key ? k.name)
           and h.change -> $3::text ? k.key order by h.id desc limit 1) l`,
      [
        screen.name,
        id,
        field.name,
        JSON.stringify(
          asked.map((one, place) => ({
            place,
            key: one.field === null ? `-${one.id}` : String(one.id),
            name: one.field,
          })),
        ),
      ],
    ),
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return conflicts.map((one, at) => ({ ...one, by: found.get(at)?.by ?? null, at: found.get(at)?.at ?? null }));
}

/** The number of saves of rows that a reader can catch up with individually; beyond it, all rows are sent. */
const MAX_SAVES = 500;

/**
 * The record with the changes in the rows of a field since somebody read it, `{set, add, remove}`; the whole list if
 * that is long ago. `since` null = all rows. @throws AppError 404
 */
export async function rowsSince(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  field: Field,
  id: number,
  since: number | null,
): Promise<WireRecord> {
  const change = since === null ? null : await changedSince(session, screen, field, id, since);
  const others = screen.fields.filter(
    ({ name, rows, part, rowGroup }) => rows && !part && !rowGroup && name !== field.name,
  );
  const ids = change
    ? Object.keys(change).flatMap((key) => (key.startsWith('-') ? [] : [Number(key.replace('+', ''))]))
    : [];
  const rows = new Map<string, number[]>([
    ...others.map(({ name }): [string, number[]] => [name, []]),
    ...(change ? ([[field.name, ids]] as [string, number[]][]) : []),
  ]);
  const [record] = await readRecords(session, screen, screens, [id], { rows });
  if (!record) throw notFound();
  for (const { name } of others) delete record[name];
  return change ? withChangedRows({ fields: [field] }, record, { [field.name]: change }) : record;
}

async function changedSince(
  { tenant }: Session,
  screen: Screen,
  field: Field,
  id: number,
  since: number,
): Promise<Row | null> {
  const saves = await tenant.db.query<{ from: number; rows: Record<string, Row> | null }>(
    preparedStatement(
      `select (change -> '${ROWS_VERSION}' ->> 0)::int as from, change -> $3::text as rows from ${quoted(tenant.schema)}.history
       where record_type = $1 and record_id = $2 and (change -> '${ROWS_VERSION}' ->> 1)::int > $4 order by id limit ${MAX_SAVES + 1}`,
      [screen.name, id, field.name, since],
    ),
  );
  if (saves.length > MAX_SAVES || (saves.length > 0 && (saves[0]!.from ?? 0) > since)) return null;
  const change: Row = {};
  for (const { rows } of saves)
    for (const [key, row] of Object.entries(rows ?? {})) {
      if (!isRowKey(key)) continue;
      const row_ = key.replace(/^[+-]/, '');
      if (!key.startsWith('-') && !key.startsWith('+') && 'position' in row) return null;
      if (key.startsWith('-')) {
        delete change[`+${row_}`];
        delete change[row_];
        change[key] = {};
      } else if (key.startsWith('+')) change[key] = {};
      else if (!(`+${row_}` in change)) change[row_] = {};
    }
  return change;
}
