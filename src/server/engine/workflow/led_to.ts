import type { Field, Screen } from '../../../descriptor/types.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Surroundings } from './values.ts';

type Row = Record<string, unknown>;

/** A record at the end of a path of references, and the row from which the path starts. */
export interface LedTo {
  screen: Screen;
  id: number;
  row?: { fields: Field[]; values: Row };
}

/** The records at the end of a path: `customer_id`, `customer_id.branch_id`, `lines.bill_id` for each row. */
export async function ledTo({ session, screen, screens, record }: Surroundings, path: string): Promise<LedTo[]> {
  const [first = '', ...rest] = path.split('.');
  let field = screen.fields.find(({ name }) => name === first);
  let found: { id: number; row?: LedTo['row'] }[];
  if (field?.rows) {
    const fields = field.rows;
    const column = rest.shift() ?? '';
    field = fields.find(({ name }) => name === column);
    found = ((record[first] as Row[] | null) ?? []).flatMap((values) =>
      typeof values[column] === 'number' ? [{ id: values[column], row: { fields, values } }] : [],
    );
  } else found = typeof record[first] === 'number' ? [{ id: record[first] }] : [];
  let target = field?.ref && screens.get(field.ref.type);
  for (const name of rest) {
    if (!target || found.length === 0) return [];
    const rows = await session.tenant.db.query<{ id: number; next: number | null }>(
      preparedStatement(
        `select id, ${quoted(name)} as next from ${tableName(session.tenant.schema, target.name)} where id = any($1::bigint[])`,
        [found.map(({ id }) => id)],
      ),
    );
    const next = new Map(rows.map((row) => [row.id, row.next]));
    found = found.flatMap((one) => {
      const id = next.get(one.id);
      return typeof id === 'number' ? [{ ...one, id }] : [];
    });
    const on: string | undefined = target.fields.find((one) => one.name === name)?.ref?.type;
    target = on === undefined ? undefined : screens.get(on);
  }
  const at = target;
  return at ? found.map((one) => ({ screen: at, ...one })) : [];
}
