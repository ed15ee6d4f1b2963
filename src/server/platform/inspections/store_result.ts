import type { Band } from '../../../domain/inspection_score.ts';
import { inspectionResult } from '../../../domain/inspection_result.ts';
import type { Answers, Questionnaire } from '../../../domain/questionnaire/question.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';

/** An inspection whose answers are looked at. */
export interface Inspected {
  id: number;
  survey_type_id: unknown;
}

/** Stores score, grade, pass and faults of an inspection as its answers stand, within the caller's transaction. */
export async function storeResult(
  db: Queryable,
  schema: string,
  { id, survey_type_id: type }: Inspected,
  content: Questionnaire,
  answers: Answers,
  attributes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const bands = await db.query<{ from: string; grade: string }>(
    `select from_percent as "from", grade from ${childTable(schema, 'tis_survey_type', 'grades')} where parent_id = $1`,
    [type],
  );
  const result = inspectionResult(
    content,
    answers,
    { seed: seedOf('tis_inspection', id), attributes },
    bands.map(({ from, grade }): Band => ({ from: Number(from), grade })),
  );
  await db.query(
    `update ${quoted(schema)}.tis_inspection set score = $2, grade = $3, unsafe = $4,
      passed = (select $2::numeric >= t.pass_percent and not $4::boolean from ${quoted(schema)}.tis_survey_type t where t.id = $5) where id = $1`,
    [id, result.score, result.grade, result.unsafe, type],
  );
  const groupScores = childTable(schema, 'tis_inspection', 'group_scores');
  await db.query(`delete from ${groupScores} where parent_id = $1`, [id]);
  await db.query(
    `insert into ${groupScores} (parent_id, "position", tis_survey_group_id, score, faults)
     select $1, row_number() over () - 1, x.group, x.score, x.faults from jsonb_to_recordset($2::jsonb) as x("group" bigint, score numeric, faults int)`,
    [id, JSON.stringify(result.groups)],
  );
  const findings = childTable(schema, 'tis_inspection', 'findings');
  await db.query(`delete from ${findings} where parent_id = $1`, [id]);
  await db.query(
    `insert into ${findings} (parent_id, "position", tis_survey_field_id, repeat_no, answer, severity, remark, advice, cost, service_id, follow_up, photo)
     select $1, row_number() over () - 1, x.field, x.repeat, x.answer, x.severity, x.remark, x.advice, x.cost, x.service, x."followUp", x.photo
     from jsonb_to_recordset($2::jsonb) as x(field bigint, repeat int, answer text, severity text, remark text, advice text, cost numeric, service bigint, "followUp" text, photo bigint)`,
    [id, JSON.stringify(result.findings)],
  );
}
