import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../descriptor/format.ts';
import type { Field, FileSource, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Engine } from './engine.ts';
import { parseListQuery } from './list_query.ts';

type Row = Readonly<Record<string, unknown>>;

/** A file of a record, or a row of it that could hold one. */
export interface RecordFile {
  /** The chosen record, and the one below it that holds the file. */
  folders: string[];
  what: string;
  /** The other values of the row, by their titles. */
  details: string;
  file: number | null;
}

export interface RecordFilesDeps {
  engine: Pick<Engine, 'read' | 'list'>;
  screens: (session: Session) => Map<string, Screen>;
  ensure(session: Session, screen: Screen): Promise<unknown>;
}

/** The most records whose files are put together. */
const MAX_RECORDS = 5_000;
const PAGE = 500;

/**
 * The files of records as this person sees them: in fields, rows, parts and attachments, and those of the records that
 * belong to them. Records and fields that the person does not see are left out. @throws AppError 404, 422
 */
export async function filesOfRecords(
  deps: RecordFilesDeps,
  session: Session,
  screen: Screen,
  ids: readonly number[],
): Promise<RecordFile[]> {
  const screens = deps.screens(session);
  const found: RecordFile[] = [];
  const names = new Map<number, string>();
  let read = 0;
  const add = async (of: Screen, id: number, above: string[]) => {
    if (++read > MAX_RECORDS)
      throw new AppError(422, 'invalid', 'These are more than 5,000 records. Choose fewer, or a shorter period.');
    const record = await deps.engine.read(session, of, id);
    const name = nameOf(of, record);
    const folders = [...above, name];
    found.push(...(await filesOf(session, screens, of, record, folders)));
    for (const source of sourcesOf(of)) {
      const other = 'via' in source && screens.get(referenceOf(of, source.via)?.ref?.type ?? '');
      if (!other || session.rights.refuse(other, 'view_screen') !== null) continue;
      await deps.ensure(session, other);
      // What the person does not see there, such as a document that is gone, is left out.
      for (const one of idsAt(record, source.via))
        await add(other, one, folders).catch((error: unknown) => {
          if (!(error instanceof AppError) || error.status !== 404) throw error;
        });
    }
    return name;
  };
  for (const id of ids) names.set(id, await add(screen, id, []));
  for (const source of sourcesOf(screen)) {
    if (!('by' in source)) continue;
    const { type, by, filter } = source;
    const other = screens.get(type);
    if (!other || session.rights.refuse(other, 'view_screen') !== null) continue;
    await deps.ensure(session, other);
    const of = [by, 'in', ids];
    for (let page = 1; ; page++) {
      const { data } = await deps.engine.list(
        session,
        other,
        parseListQuery(
          {
            filter: JSON.stringify(filter ? ['and', of, filter] : of),
            columns: by,
            sort: 'id',
            size: String(PAGE),
            page: String(page),
            count: 'none',
          },
          other,
        ),
      );
      for (const row of data) await add(other, row.id, [names.get(Number(row[by])) ?? '']);
      if (data.length < PAGE) break;
    }
  }
  return found;
}

const sourcesOf = ({ actions }: Screen): readonly FileSource[] =>
  actions.find(({ browser }) => browser === 'files')?.with ?? [];

/** The reference at `field` or `rows.column` of a type. */
function referenceOf({ fields }: Screen, path: string): Field | undefined {
  const [first, column] = path.split('.');
  const field = fields.find(({ name }) => name === first);
  return column === undefined ? field : field?.rows?.find(({ name }) => name === column);
}

/** The records that a record refers to at `field` or `rows.column`, each once. */
function idsAt(record: WireRecord, path: string): number[] {
  const [first = '', column] = path.split('.');
  const held = column === undefined ? [record] : ((record[first] as Row[] | null | undefined) ?? []);
  const ids = held.flatMap((one) => one[column ?? first] ?? []);
  return [...new Set(ids.filter((id) => typeof id === 'number'))];
}

async function filesOf(
  { tenant }: Session,
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  record: WireRecord,
  folders: string[],
): Promise<RecordFile[]> {
  const hidden = new Set(Array.isArray(record._hidden) ? (record._hidden as string[]) : []);
  const found: RecordFile[] = [];
  for (const field of screen.fields) {
    if (hidden.has(field.name) || field.secret) continue;
    const columns = field.rows ?? (field.part ? screens.get(field.part.type)?.fields : undefined);
    if (isFile(field)) {
      const file = record[field.name];
      if (typeof file === 'number') found.push({ folders, what: field.title, details: '', file });
    } else if (columns?.some(isFile)) {
      for (const row of (record[field.name] as Row[] | null | undefined) ?? []) {
        const texts = columns
          .filter((column) => !isFile(column) && !column.hidden && !column.secret && column.type !== 'boolean')
          .map((column) => ({ title: column.title, text: textOf(column, row) }))
          .filter(({ text }) => text !== '');
        const of = {
          folders,
          what: texts[0]?.text ?? field.title,
          details: texts.map(({ title, text }) => `${title}: ${text}`).join('; '),
        };
        const files = columns.filter(isFile).flatMap(({ name }) => (typeof row[name] === 'number' ? [row[name]] : []));
        if (files.length === 0) found.push({ ...of, file: null });
        else found.push(...files.map((file) => ({ ...of, file })));
      }
    }
  }
  const attached = await tenant.db.query<{ file_id: number }>(
    preparedStatement(
      `select file_id from ${quoted(tenant.schema)}.attachment where record_type = $1 and record_id = $2 order by id`,
      [screen.name, record.id],
    ),
  );
  return [...found, ...attached.map(({ file_id: file }) => ({ folders, what: 'Attachment', details: '', file }))];
}

/** Files and pictures. */
const isFile = ({ type }: Field): boolean => fieldType(type).can.file;

function textOf(field: Field, row: Row): string {
  const label = row[`${field.name}__label`];
  return typeof label === 'string' ? label : formatValue(field, row[field.name], row);
}

function nameOf(screen: Screen, record: WireRecord): string {
  const texts = screen.label.flatMap((name) => {
    const field = screen.fields.find((one) => one.name === name);
    return field ? [textOf(field, record)] : [];
  });
  return texts.filter((text) => text !== '').join(' ') || `${screen.title} ${record.id}`;
}
