import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { notFound } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { QuestionnaireVersion } from './versions.ts';
import { latestVersion, versionById } from './versions.ts';

/** Why people with an account cannot answer for somebody. */
export const ANONYMOUS = 'This is anonymous. It is answered through its link, and the answers are not shown here.';

/** The answers field with this name. @throws AppError 404 */
export function answersField(screen: Screen, name: string): Field {
  const field = screen.fields.find((one) => one.name === name && one.type === 'answers');
  if (!field || field.answersOf === undefined) throw notFound();
  return field;
}

/** The facts about the answering record for conditions and texts: its short values, references as names. */
export function attributesOf(screen: Screen, record: WireRecord): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const { name, type, secret } of screen.fields) {
    if (secret || fieldType(type).can.cell !== 'short' || type === 'clock') continue;
    const value = record[`${name}__label`] ?? record[name];
    if (value !== null && value !== undefined) facts[name] = value;
  }
  return facts;
}

/** A record whose questionnaire is answered, as far as the answering person sees it. */
export interface Template {
  title: string;
  /** Shown before and after the questions. */
  texts: { intro: string | null; thanks: string | null };
  /**
   * `published`: it can be started; `over`: it accepts no more answers; otherwise only started ones can be completed.
   */
  standing: 'published' | 'withdrawn' | 'over';
}

/** A template from its columns; `there`: null if it does not exist. */
export interface TemplateRow {
  there: number | null;
  title: string | null;
  intro: string | null;
  thanks: string | null;
  template_state: string | null;
  template_active: boolean | null;
}

/** The columns of a template; its table has the alias `t`. */
export function templateColumns({ fields, label, workflow }: Screen): string {
  const plain = (name: string | undefined) =>
    fields.find((one) => one.name === name && ['text', 'name', 'long_text'].includes(one.type))?.name;
  const column = (name: string | undefined) => (name === undefined ? 'null' : `t.${quoted(name)}`);
  return `t.id as there, ${column(plain(label[0]))} as title, ${column(plain('intro'))} as intro, ${column(plain('thanks'))} as thanks,
       ${column(workflow?.field)} as template_state, t.active as template_active`;
}

/** The texts before and after the questions, and whether it still accepts answers; null = it does not exist. */
export function templateFrom(
  { title, workflow, questionnaire }: Screen,
  row: TemplateRow | undefined,
): Template | null {
  if (!row || row.there === null) return null;
  const state = workflow?.states.find(({ name }) => name === row.template_state);
  const published = workflow?.transitions.find(({ name }) => name === questionnaire?.publish)?.to;
  return {
    title: row.title ?? title,
    texts: { intro: row.intro, thanks: row.thanks },
    standing:
      !row.template_active || state?.is === 'closed' || state?.is === 'cancelled'
        ? 'over'
        : row.template_state === published
          ? 'published'
          : 'withdrawn',
  };
}

/** The template with this id; null = it does not exist. */
export async function templateOf(tenant: Tenant, screen: Screen, id: number): Promise<Template | null> {
  const [row] = await tenant.db.query<TemplateRow>(
    preparedStatement(
      `select ${templateColumns(screen)} from ${tableName(tenant.schema, screen.name)} t where t.id = $1`,
      [id],
    ),
  );
  return templateFrom(screen, row);
}

/** The version that a record answers, or would start with; null = its template has none. */
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
