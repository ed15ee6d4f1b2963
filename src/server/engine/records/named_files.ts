import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { isMarkdown } from '../../../descriptor/markdown.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';

type Row = Readonly<Record<string, unknown>>;
/** Whether a person may open a file, by id. */
export type MayOpenFile = (session: Session, id: number) => Promise<boolean>;

/** A file named in a Markdown text: `![Lift](file:12)`. */
const IN_TEXT = /\]\(file:(\d+)/g;

const namesFiles = (field: Field) => fieldType(field.type).can.file || isMarkdown(field);

/** Whether records of a type can refer to files in texts, which sheets and sources can contain too. */
export const hasTextsWithFiles = ({ fields }: Screen): boolean => fields.some(isMarkdown);

/** The ids of the files in the value of a field. */
function filesIn(field: Field, value: unknown): number[] {
  if (value === null || value === undefined || value === '') return [];
  if (fieldType(field.type).can.file) return [Number(value)];
  return typeof value === 'string' ? [...value.matchAll(IN_TEXT)].map(([, id]) => Number(id)) : [];
}

interface Named {
  path: string;
  id: number;
}

/** The files that a record refers to and that were not in the same field before. */
function newlyNamed(screen: Screen, record: Row, stored: Row | null): Named[] {
  const found: Named[] = [];
  for (const field of screen.fields) {
    if (namesFiles(field)) {
      const before = new Set(filesIn(field, stored?.[field.name]));
      for (const id of filesIn(field, record[field.name])) if (!before.has(id)) found.push({ path: field.name, id });
    }
    const rows = record[field.name];
    if (!field.rows || !Array.isArray(rows)) continue;
    for (const column of field.rows.filter(namesFiles)) {
      const known = (stored?.[field.name] as Row[] | null | undefined) ?? [];
      const before = new Set(known.flatMap((row) => filesIn(column, row[column.name])));
      (rows as Row[]).forEach((row, at) => {
        for (const id of filesIn(column, row[column.name]))
          if (!before.has(id)) found.push({ path: `${field.name}.${at}.${column.name}`, id });
      });
    }
  }
  return found;
}

/**
 * A record may only refer to files that the person writing it may open, including files they have just uploaded:
 * everybody who sees the record sees its files. Missing files are refused with the same message.
 */
export async function fileErrors(
  session: Session,
  screen: Screen,
  record: Row,
  stored: Row | null,
  mayOpen: MayOpenFile,
): Promise<FieldError[]> {
  const named = newlyNamed(screen, record, stored);
  const allowed = new Map<number, boolean>();
  for (const { id } of named)
    if (!allowed.has(id)) allowed.set(id, Number.isSafeInteger(id) && id > 0 && (await mayOpen(session, id)));
  return named
    .filter(({ id }) => !allowed.get(id))
    .map(({ path, id }) => ({
      field: path,
      message: `There is no file ${id} that you may use here. Upload it again.`,
    }));
}
