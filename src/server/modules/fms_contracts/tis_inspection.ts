import type { Band, ScoredAnswer } from '../../../domain/inspection_score.ts';
import { scoreInspection } from '../../../domain/inspection_score.ts';
import type { FieldError, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

type Row = Record<string, unknown>;

/** What the questions depend on. */
const OF_THE_SURVEY = ['survey_type_id', 'landings', 'ropes', 'car_doors'];

/** A row's question, whatever is answered. */
const questionOf = (row: Row) =>
  `${String(row.tis_survey_field_id)} ${String(row.repeat_no ?? '')} ${String(row.value_group ?? '')}`;

function sameQuestions(rows: Row[], stored: Row[]): boolean {
  const before = new Set(stored.map(questionOf));
  return rows.length === stored.length && rows.every((row) => before.has(questionOf(row)));
}

/** Until when what was submitted may still be corrected without being sent back. */
async function mayCorrect({ tenant }: Session, stored: WireRecord): Promise<boolean> {
  const [row] = await tenant.db.query<{ open: boolean }>(
    `select coalesce($2::timestamptz + make_interval(hours => coalesce(t.may_correct_hours, 0)) > now(), false) as open from ${quoted(tenant.schema)}.tis_survey_type t where t.id = $1`,
    [stored.survey_type_id, stored.submitted_at],
  );
  return row?.open === true;
}

/** Score, grade and gravity as the answers stand; what the browser says of them does not count. */
async function storeScore({ tenant }: Session, record: WireRecord): Promise<void> {
  const s = quoted(tenant.schema);
  const answers = childTable(tenant.schema, 'tis_inspection', 'answers');
  const groupScores = childTable(tenant.schema, 'tis_inspection', 'group_scores');
  await tenant.db.transaction(async (tx) => {
    // One at a time: two savings must not mix their results.
    await tx.query(`select 1 from ${s}.tis_inspection where id = $1 for update`, [record.id]);
    await tx.query(
      `update ${answers} a set severity = v.severity from ${s}.tis_survey_value v where a.parent_id = $1 and v.id = a.answer_id and a.severity is distinct from v.severity`,
      [record.id],
    );
    await tx.query(
      `update ${answers} set severity = null where parent_id = $1 and answer_id is null and severity is not null`,
      [record.id],
    );
    const rows = await tx.query<Omit<ScoredAnswer, 'score' | 'best'> & { score: string | null; best: string }>(
      `select f.tis_survey_group_id as "group", f.weight, case when v.not_applicable then null else v.score end as score, v.severity, coalesce(f.critical, false) as critical,
         coalesce((select max(b.score) from ${s}.tis_survey_value b where b.value_group = f.value_group and not coalesce(b.not_applicable, false)), 0) as best
       from ${answers} a join ${s}.tis_survey_field f on f.id = a.tis_survey_field_id left join ${s}.tis_survey_value v on v.id = a.answer_id where a.parent_id = $1 order by a."position"`,
      [record.id],
    );
    const bands = await tx.query<{ from: string; grade: string }>(
      `select from_percent as "from", grade from ${childTable(tenant.schema, 'tis_survey_type', 'grades')} where parent_id = $1`,
      [record.survey_type_id],
    );
    const result = scoreInspection(
      rows.map((row) => ({ ...row, score: row.score === null ? null : Number(row.score), best: Number(row.best) })),
      bands.map(({ from, grade }): Band => ({ from: Number(from), grade })),
    );
    await tx.query(`update ${s}.tis_inspection set score = $2, grade = $3, unsafe = $4 where id = $1`, [
      record.id,
      result.score,
      result.grade,
      result.unsafe,
    ]);
    await tx.query(`delete from ${groupScores} where parent_id = $1`, [record.id]);
    await tx.query(
      `insert into ${groupScores} (parent_id, "position", tis_survey_group_id, score, faults) select $1, x.at - 1, x.id, x.score, x.faults from unnest($2::bigint[], $3::numeric[], $4::int[]) with ordinality x(id, score, faults, at)`,
      [
        record.id,
        result.groups.map(({ group }) => group),
        result.groups.map(({ score }) => score),
        result.groups.map(({ faults }) => faults),
      ],
    );
  });
}

/** Inspections: the questions are those of the survey, the score follows from the answers, what was reviewed stays. */
export default defineHooks({
  async check(session, record, stored) {
    // The steps of the inspection have looked at all this themselves.
    if (stored !== null && record.status !== stored.status) return [];
    const answers = (record.answers as Row[] | null) ?? [];
    if (stored === null || stored.status === 'planned')
      return answers.length === 0
        ? []
        : [{ field: 'answers', message: 'Start the inspection: the questions come from the survey type.' }];
    if (stored.status === 'submitted' && !(await mayCorrect(session, stored)))
      return [{ field: '', message: 'This inspection waits for its review. Ask the reviewer to send it back.' }];
    const errors: FieldError[] = OF_THE_SURVEY.filter((name) => record[name] !== stored[name]).map((name) => ({
      field: name,
      message: 'This cannot change any more: the questions depend on it.',
    }));
    // Whose work it is decides who may not review it.
    if (stored.status === 'submitted' && record.surveyor_id !== stored.surveyor_id)
      errors.push({ field: 'surveyor_id', message: 'Who made the inspection cannot change once it is submitted.' });
    const asked = (stored.answers as Row[] | null) ?? [];
    // They are put in when it begins.
    if (asked.length > 0 && !sameQuestions(answers, asked))
      errors.push({ field: 'answers', message: 'Questions can be answered, but not added, changed or removed.' });
    return errors;
  },
  async saved(session, record) {
    if (record.status === 'in_progress' || record.status === 'submitted') await storeScore(session, record);
  },
  leave(_session, stored, how) {
    return how !== 'activate' && (stored.status === 'reviewed' || stored.status === 'issued')
      ? 'This inspection is reviewed; its report stays.'
      : null;
  },
});
