import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { QuestionnaireVersion } from './versions.ts';
import { latestVersion, versionById } from './versions.ts';

/** The field of type answers that is named. @throws AppError 404 */
export function answersField(screen: Screen, name: string): Field {
  const field = screen.fields.find((one) => one.name === name && one.type === 'answers');
  if (!field || field.answersOf === undefined) throw notFound();
  return field;
}

/** What conditions and texts see of the answering record: its short values, in words where they are references. */
export function attributesOf(screen: Screen, record: WireRecord): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const { name, type, secret } of screen.fields) {
    if (secret || fieldType(type).can.cell !== 'short' || type === 'clock') continue;
    const value = record[`${name}__label`] ?? record[name];
    if (value !== null && value !== undefined) facts[name] = value;
  }
  return facts;
}

/** The version that a record answers, or would begin with; null = its template has none. */
export async function versionFor(
  tenant: Tenant,
  screen: Screen,
  field: Field,
  record: WireRecord,
): Promise<QuestionnaireVersion | null> {
  const fixed = record[field.name];
  if (typeof fixed === 'number') return versionById(tenant, fixed);
  const reference = screen.fields.find(({ name }) => name === field.answersOf);
  const template = record[field.answersOf!];
  if (!reference?.ref || typeof template !== 'number') return null;
  return latestVersion(tenant, { type: reference.ref.type, id: template });
}
