import { randomUUID } from 'node:crypto';
import { complete } from '../../../domain/questionnaire/completion.ts';
import type { Fault } from '../../../domain/questionnaire/faults.ts';
import type { Answer } from '../../../domain/questionnaire/question.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { Queryable } from '../../db/database.ts';
import type { AnsweredBy } from '../../../domain/questionnaire/results.ts';
import type { QuestionnaireVersion } from './versions.ts';

/** A client's tables, within a transaction or not. */
export interface InTenant {
  schema: string;
  db: Queryable;
}

/** The questionnaire. */
export interface AnsweredTemplate {
  type: string;
  id: number;
}

/** The precision at which places in anonymous answers are stored, in parts of a degree. */
const PLACE_PARTS = 10;

/** Answers as stored for anonymous people: places are rounded. */
function blurred(kept: Readonly<Record<string, Answer>>, { content }: QuestionnaireVersion): AnsweredBy {
  const places = new Set(
    content.sections.flatMap(({ questions }) => questions.flatMap(({ type, code }) => (type === 'geo' ? [code] : []))),
  );
  const round = (value: unknown) => Math.round(Number(value) * PLACE_PARTS) / PLACE_PARTS;
  return Object.fromEntries(
    Object.entries(kept).map(([key, answer]) => {
      const place = answer.value as { lat: number; lng: number } | null;
      if (!places.has(key.split('#')[0]!) || place === null) return [key, answer];
      return [key, { value: { lat: round(place.lat), lng: round(place.lng) } }];
    }),
  );
}

const table = ({ schema }: InTenant): string => `${quoted(schema)}.anonymous_answer`;

/**
 * Stores anonymous answers: no person, time or order. They are held back until there are `least` of them, which are
 * then rewritten together in random order, so that a growing count does not reveal whose answers arrived when.
 * @returns the errors; then nothing is stored
 */
export async function keepAnonymous(
  tenant: InTenant,
  template: AnsweredTemplate,
  version: QuestionnaireVersion,
  answers: AnsweredBy,
): Promise<Fault[]> {
  const done = complete(version.content, answers, { seed: template.type });
  if (done.faults.length > 0) return done.faults;
  await tenant.db.query(
    `insert into ${table(tenant)} (id, record_type, record_id, version_id, answers, score) values ($1, $2, $3, $4, $5::jsonb, $6)`,
    [
      randomUUID(),
      template.type,
      template.id,
      version.id,
      done.end === 'screen_out' ? '{}' : JSON.stringify(blurred(done.kept, version)),
      done.score,
    ],
  );
  await settleAnonymous(tenant, template, version.content.anonymous?.least ?? 0);
  return [];
}

/** Releases the pending answers once there are enough of them. */
export async function settleAnonymous(tenant: InTenant, { type, id }: AnsweredTemplate, least: number): Promise<void> {
  await tenant.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    `anonymous ${tenant.schema} ${type} ${id}`,
  ]);
  await tenant.db.query(
    `with waiting as (select count(*) as n from ${table(tenant)} where record_type = $1 and record_id = $2 and not settled),
     gone as (delete from ${table(tenant)} where record_type = $1 and record_id = $2 and not settled and (select n from waiting) >= $3::integer
       returning version_id, answers, score)
     insert into ${table(tenant)} (id, record_type, record_id, version_id, answers, score, settled)
     select gen_random_uuid(), $1, $2, version_id, answers, score, true from gone order by random()`,
    [type, id, Math.max(1, least)],
  );
}

/** The answers that count, by version, in no order. */
export async function anonymousAnswers(
  tenant: InTenant,
  { type, id }: AnsweredTemplate,
): Promise<{ version: number; answers: AnsweredBy; score: string | null }[]> {
  return tenant.db.query(
    `select version_id as version, answers, score::text as score from ${table(tenant)} where record_type = $1 and record_id = $2 and settled order by id`,
    [type, id],
  );
}

/**
 * Records that the person of a record has answered, and nothing else: no time, log or history that could be matched
 * with the answers. @returns false if they had answered before
 */
export async function noteAnswered(
  tenant: InTenant,
  { type, id }: { type: string; id: number },
  { field, from, to }: { field: string; from: readonly string[]; to: string },
): Promise<boolean> {
  const rows = await tenant.db.query(
    `update ${tableName(tenant.schema, type)} set ${quoted(field)} = $2, version = version + 1 where id = $1 and ${quoted(field)} = any($3::text[]) returning 1`,
    [id, to, from],
  );
  return rows.length > 0;
}
