import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { isMarkdown } from '../../../descriptor/markdown.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import type { Engine } from './engine.ts';
import { isOwnOrBelow, PEOPLE } from '../../access/people/people.ts';

/** The rules for access to files. */
export interface FilesSeen {
  engine: Engine;
  screens: (session: Session) => Map<string, Screen>;
}

/** A file named in a Markdown text: `![Lift](file:12)`. */
const IN_TEXT = (id: number) => `%](file:${id})%`;

/** The screen and kind of `type.field` or `type.rows.field`. */
export function fieldNamed(
  screens: Map<string, Screen>,
  path: string,
): { screen: Screen; rows: string | null; field: string; image: boolean; text: boolean } | null {
  const [type, first, second] = path.split('.');
  const screen = screens.get(type ?? '');
  const outer = screen?.fields.find((field) => field.name === first);
  const part = outer?.part && screens.get(outer.part.type);
  if (part && second !== undefined) return fieldNamed(screens, `${part.name}.${second}`);
  const field = second === undefined ? outer : outer?.rows?.find((inner) => inner.name === second);
  if (screen === undefined || field === undefined) return null;
  const text = isMarkdown(field);
  if (!fieldType(field.type).can.file && !text && field.type !== 'answers') return null;
  return {
    screen,
    rows: second === undefined ? null : first!,
    field: field.name,
    image: field.type !== 'file' && field.type !== 'answers',
    text,
  };
}

/**
 * A file is visible to the person who uploaded it and to everybody who may see a record that contains it, as an
 * attachment or in a field.
 */
export async function maySeeFile(session: Session, id: number, { engine, screens }: FilesSeen): Promise<boolean> {
  const { db, schema } = session.tenant;
  const [file] = await db.query<{ by: number; for_field: string | null }>(
    `select by, for_field from ${quoted(schema)}."file" where id = $1`,
    [id],
  );
  if (file === undefined) return false;
  if (file.by === session.userId) return true;
  const holders = await db.query<{ type: string; id: number; field?: string }>(
    `select record_type as type, record_id as id from ${quoted(schema)}."attachment" where file_id = $1 limit 20`,
    [id],
  );
  const target = fieldNamed(screens(session), file.for_field ?? '');
  if (target !== null) {
    const { screen, rows, field, text } = target;
    const [table, column] =
      rows === null ? [tableName(schema, screen.name), 'id'] : [childTable(schema, screen.name, rows), 'parent_id'];
    const ofAnswers = screen.fields.some(({ name, type }) => name === field && type === 'answers');
    const found = ofAnswers
      ? await db.query<{ id: number }>(
          `select record_id as id from ${quoted(schema)}.answer where record_type = $1 and field = $2 and value @> to_jsonb($3::bigint) limit 20`,
          [screen.name, field, id],
        )
      : await db.query<{ id: number }>(
          `select ${column} as id from ${table} where ${quoted(field)} ${text ? 'like' : '='} $1 limit 20`,
          [text ? IN_TEXT(id) : id],
        );
    // People can always see their own picture and those of their team, regardless of their right to members.
    if (screen.name === PEOPLE && rows === null && field === 'photo')
      for (const person of found) if (await isOwnOrBelow(session, person.id)) return true;
    holders.push(
      ...found.map((row) => ({ type: screen.name, id: row.id, field: rows === null ? field : `${rows}.${field}` })),
    );
  }
  for (const holder of holders) {
    const screen = screens(session).get(holder.type);
    if (screen === undefined || session.rights.refuse(screen, 'view_screen') !== null) continue;
    const seen = await engine.read(session, screen, holder.id).then(
      ({ _hidden: hidden }) => !(Array.isArray(hidden) && hidden.includes(holder.field?.split('.')[0])),
      () => false,
    );
    if (seen) return true;
  }
  return false;
}
