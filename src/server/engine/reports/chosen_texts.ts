import { formatValue } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { labelExpression } from '../../db/columns.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** The reader's choices as text. */
export async function chosenTexts(
  session: LiveSession,
  screens: ReadonlyMap<string, Screen>,
  { parameters }: Report,
  values: Readonly<Record<string, unknown>>,
): Promise<{ title: string; text: string }[]> {
  const { schema, db } = session.tenant;
  const texts: { title: string; text: string }[] = [];
  for (const field of parameters) {
    const value = values[field.name];
    if (value === null || value === undefined) continue;
    const target = field.ref && screens.get(field.ref.type);
    const [row] = target
      ? await db.query<{ label: string }>(
          preparedStatement(
            `select ${labelExpression(target, 't', { screens, schema })} as label from ${tableName(schema, target.name)} t where t.id = $1`,
            [value],
          ),
        )
      : [];
    texts.push({ title: field.title, text: row?.label ?? formatValue(field, value) });
  }
  return texts;
}
