import type { Print, PrintEnclosure } from '../../../descriptor/prints.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { quoted } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { Enclosed, EnclosingContent, PrintContent } from '../../services/print/print_content.ts';
import { conditions } from '../records/list.ts';
import { parseListQuery } from '../records/list_query.ts';
import { readRecords } from '../records/read.ts';
import { rowsOf } from '../records/rows_of.ts';
import { holds } from '../workflow/values.ts';
import { fillPrint } from './fill_print.ts';
import type { Printed } from './fill_print.ts';
import { lastKept } from './kept_prints.ts';
import { PrintValues } from './print_values.ts';

type Row = Record<string, unknown>;
type OfRecord = Extract<PrintEnclosure, { of: string }>;
type OfRows = Extract<PrintEnclosure, { rows: string }>;

const NONE = 'There is none.';

/** The content of a print with the documents that it encloses, as the person may see them. */
export async function fillEnclosing(printed: Printed, print: Print, at: string): Promise<EnclosingContent> {
  const content = await fillPrint(printed, print, at);
  if (print.enclose === undefined) return content;
  const enclosed: Enclosed[] = [];
  for (const one of print.enclose)
    enclosed.push(...('rows' in one ? await ofRows(printed, one) : [await ofRecord(printed, one, at)]));
  return { ...content, enclosed };
}

/** The files in rows of the record, and the kinds of which there should be one. */
async function ofRows({ session, screen, screens, record }: Printed, one: OfRows): Promise<Enclosed[]> {
  const fields = screen.fields.find(({ name }) => name === one.rows)?.rows ?? [];
  const kind = fields.find(({ name }) => name === one.title);
  if (!kind) return [];
  const values = new PrintValues(session, screens, record);
  const enclosed: Enclosed[] = [];
  const there = new Set<unknown>();
  for (const row of (record[one.rows] as Row[] | null) ?? []) {
    if (!(await holds({ session, screen, screens, record, row: { fields, values: row } }, one.when))) continue;
    if (typeof row[one.file] !== 'number') continue;
    there.add(row[one.title]);
    enclosed.push({ title: values.shown(kind, row[one.title], row), file: row[one.file] as number });
  }
  for (const need of one.needs ?? [])
    if (!there.has(need)) enclosed.push({ title: values.shown(kind, need, record), missing: NONE });
  return enclosed;
}

/** The first record of a type that refers to this one; null = there is none that the person may see. */
async function firstOf({ session, screens, record }: Printed, of: Screen, one: OfRecord): Promise<WireRecord | null> {
  const { db, schema } = session.tenant;
  if (!(await existingTables(db, schema)).has(of.name)) return null;
  const refers = [one.by, 'eq', record.id];
  const filter = JSON.stringify(one.filter === undefined ? refers : ['and', refers, one.filter]);
  const all = screens as Map<string, Screen>;
  const values = new SqlParams();
  const where = conditions(session, of, all, parseListQuery({ filter }, of), values).join(' and ');
  const rows = rowsOf(session, of, all, 't', values);
  const [word, order] = one.sort?.startsWith('-') ? [one.sort.slice(1), 'desc nulls last'] : [one.sort, ''];
  const sort = of.fields.some(({ name }) => name === word) ? `t.${quoted(word!)} ${order}, ` : '';
  const [found] = await db.query<{ id: number }>(
    preparedStatement(`select t.id from ${rows} where ${where} order by ${sort}t.id desc limit 1`, values.list),
  );
  return found ? ((await readRecords(session, of, all, [found.id]))[0] ?? null) : null;
}

/** The document of another record: its file, otherwise its print as issued, otherwise as it is now. */
async function ofRecord(printed: Printed, one: OfRecord, at: string): Promise<Enclosed> {
  const { session, screens } = printed;
  const { title } = one;
  const of = screens.get(one.of);
  const via = one.via === undefined ? undefined : of?.fields.find(({ name }) => name === one.via)?.ref;
  const target = one.via === undefined ? of : screens.get(via?.type ?? '');
  if (!of || !target) return { title, missing: NONE };
  if (session.rights.refuse(target, 'view_screen') && session.rights.refuse(target, 'edit_screen'))
    return { title, missing: 'You may not see it.' };
  const first = await firstOf(printed, of, one);
  const [record] =
    first === null || one.via === undefined
      ? [first]
      : typeof first[one.via] === 'number'
        ? await readRecords(session, target, screens as Map<string, Screen>, [first[one.via] as number])
        : [];
  if (!record) return { title, missing: NONE };
  const number = (target.number ?? target.numberAt)?.field;
  const named = [title, number === undefined ? '' : String(record[number] ?? '')].filter(Boolean).join(' ');
  const file = one.file === undefined ? null : record[one.file];
  if (typeof file === 'number') return { title: named, file };
  const print = target.prints?.find(({ name }) => name === one.print);
  if (!print) return { title: named, missing: 'It has no file.' };
  const kept = await lastKept(session, { type: target.name, id: record.id }, print.name);
  if (kept === null)
    return { title: named, content: await fillPrint({ session, screen: target, screens, record }, print, at) };
  const [issued] = await session.tenant.db.query<{ content: PrintContent }>(
    `select content from ${quoted(session.tenant.schema)}.kept_print where id = $1`,
    [kept],
  );
  return { title: named, content: issued!.content };
}
