import type { Field, Screen } from '../../descriptor/types.ts';
import { readCatalogue } from './catalogue.ts';
import type { Queryable } from './database.ts';
import { countMisfits } from './misfits.ts';
import { bareTable, quoted } from './names.ts';

/**
 * Validates every value of restored record types as if it had been entered: values that a form would refuse, and
 * formatted text with executable content, are reported.
 * @param isClean whether a formatted text is in the product's form
 * @returns readable findings
 */
export async function foreignFindings(
  on: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  isClean: (html: string) => boolean,
): Promise<string[]> {
  const { tables } = await readCatalogue(on, schema);
  const found: string[] = [];
  const look = async (screen: Screen, table: string, fields: readonly Field[]): Promise<void> => {
    const stored = tables.get(table);
    if (!stored) return;
    const at = `${quoted(schema)}.${quoted(table)}`;
    for (const field of fields) {
      if (field.rows && !field.part) await look(screen, bareTable(screen.name, field.name), field.rows);
      if (field.rows || !stored.columns.has(field.name)) continue;
      const column = quoted(field.name);
      if (!field.secret) {
        const { affected, examples } = await countMisfits(on, { at, column, who: `'number ' || t.id`, field });
        if (affected > 0)
          found.push(
            `${screen.plural}, ${field.title}: ${affected} values are not allowed, such as ${examples.join('; ')}`,
          );
      }
      if (field.type !== 'rich_text') continue;
      for (let last = 0; ;) {
        const rows = await on.query<{ id: number; html: string }>(
          `select id, ${column} as html from ${at} where id > $1 and ${column} <> '' order by id limit 500`,
          [last],
        );
        const unsafe = rows.find(({ html }) => !isClean(html));
        if (unsafe)
          found.push(
            `${screen.plural}, ${field.title}: the text of number ${unsafe.id} holds what could run something`,
          );
        if (unsafe || rows.length < 500) break;
        last = rows.at(-1)!.id;
      }
    }
  };
  for (const screen of screens.values())
    if (screen.scope !== 'platform') await look(screen, bareTable(screen.name), screen.fields);
  return found;
}
