import { createHash } from 'node:crypto';
import type { Questionnaire } from '../../../domain/questionnaire/question.ts';
import { findingsOf } from '../../../domain/questionnaire/publish_check.ts';
import { readQuestionnaire } from '../../../domain/questionnaire/read_questionnaire.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { invalid } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** A published questionnaire. */
export interface QuestionnaireVersion {
  id: number;
  version_no: number;
  content: Questionnaire;
}

/** Cached versions: they never change. */
const MAX_KEPT = 200;
const kept = new Map<string, QuestionnaireVersion>();

/**
 * Freezes a questionnaire as a version of its template, whose record the caller has locked; content equal to the last
 * version creates no new one.
 */
export async function freezeVersion(
  { schema, db }: Pick<Tenant, 'schema' | 'db'>,
  template: { type: string; id: number },
  content: Questionnaire,
  by: number | null,
): Promise<{ id: number; version_no: number }> {
  const text = JSON.stringify(content);
  const hash = createHash('sha256').update(text).digest('hex');
  const table = `${quoted(schema)}.questionnaire_version`;
  const [version] = await db.query<{ id: number; version_no: number }>(
    `with last as (select id, version_no, hash from ${table} where record_type = $1 and record_id = $2 order by version_no desc limit 1),
     added as (insert into ${table} (record_type, record_id, version_no, hash, content, by)
       select $1, $2, coalesce((select version_no from last), 0) + 1, $3, $4::jsonb, $5
       where (select hash from last) is distinct from $3 returning id, version_no)
     select id, version_no from added union all select id, version_no from last where hash = $3`,
    [template.type, template.id, hash, text, by],
  );
  return version!;
}

/**
 * Checks a questionnaire and freezes it as a version, within the publishing transaction; content that is already
 * published creates no new version. @throws AppError 422 with the errors that prevent publication
 */
export async function publishVersion(
  { tenant, userId }: Session,
  { name, questionnaire }: Screen,
  record: WireRecord,
): Promise<void> {
  const { sections, questions, score } = questionnaire!;
  const content = readQuestionnaire(record, { sections, questions }, score);
  const findings = findingsOf(content);
  if (findings.length > 0)
    throw invalid(
      findings.map(({ section, question, message }) => ({
        field: `${sections}.${section}${question === undefined ? '' : `.${questions}.${question}`}`,
        message,
      })),
    );
  const before = await latestVersion(tenant, { type: name, id: record.id });
  if (before && (before.content.anonymous === undefined) !== (content.anonymous === undefined))
    throw invalid([
      {
        field: 'anonymity',
        message: before.content.anonymous
          ? 'Anonymity was promised when this was published. Copy it to ask by name.'
          : 'This was published with names. Copy it to ask anonymously.',
      },
    ]);
  // The record is locked by its transition, so two concurrent publications are impossible.
  await freezeVersion(tenant, { type: name, id: record.id }, content, userId === 0 ? null : userId);
}

/** A published version by id, or null. */
export async function versionById(tenant: Tenant, id: number): Promise<QuestionnaireVersion | null> {
  const key = `${tenant.schema} ${id}`;
  const known = kept.get(key);
  if (known) return known;
  const [version] = await tenant.db.query<QuestionnaireVersion>(
    `select id, version_no, content from ${quoted(tenant.schema)}.questionnaire_version where id = $1`,
    [id],
  );
  if (!version) return null;
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, version);
  return version;
}

/** The current version of a template; null = none is published. */
export async function latestVersion(
  tenant: Tenant,
  template: { type: string; id: number },
): Promise<QuestionnaireVersion | null> {
  const [row] = await tenant.db.query<{ id: number }>(
    `select id from ${quoted(tenant.schema)}.questionnaire_version where record_type = $1 and record_id = $2 order by version_no desc limit 1`,
    [template.type, template.id],
  );
  return row ? versionById(tenant, row.id) : null;
}
