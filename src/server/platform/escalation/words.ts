import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatAlone } from '../../../descriptor/format.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { tableName } from '../../db/tables.ts';
import type { EscalationSource } from './sources.ts';

/** Placeholders of every message, whatever the record. */
export const COMMON_WORDS = ['link', 'company', 'record', 'due_on', 'days_left', 'days_late', 'today'] as const;

/** The fields allowed in a message: the record's, and the row's; no secrets, restricted fields or files. */
export function wordFields({ rows: inner, screen }: EscalationSource): Map<string, Field> {
  const rows = screen.fields.find(({ name }) => name === inner)?.rows ?? [];
  return new Map(
    [...screen.fields, ...rows]

      .filter((field) => !field.secret && field.visible === undefined && fieldType(field.type).can.message)
      .map((field) => [field.name, field]),
  );
}

/** The placeholders of a text, each once. */
export function wordsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]!))];
}

/** Fills `{{words}}`; one without a value becomes empty. */
export function fillWords(text: string, values: Record<string, string>): string {
  return text
    .replace(/\{\{\s*(\w+)\s*\}\}/g, (_, word: string) => values[word] ?? '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

/** The values of the placeholders for one record. References are shown by name. */
export async function wordValues(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  screens: ReadonlyMap<string, Screen>,
  fields: Map<string, Field>,
  wanted: readonly string[],
  record: Record<string, unknown>,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const word of wanted) {
    const field = fields.get(word);
    const value = record[word];
    if (!field || value === null || value === undefined) continue;
    if (field.type === 'ref' && field.ref) {
      const label = screens.get(field.ref.type)?.label[0] ?? 'name';
      const [row] = await db.query<{ label: string }>(
        `select "${label}"::text as label from ${tableName(schema, field.ref.type)} where id = $1`,
        [value],
      );
      values[word] = row?.label ?? '';
    } else values[word] = atRecord(record, () => formatAlone(field, value, record));
  }
  return values;
}
