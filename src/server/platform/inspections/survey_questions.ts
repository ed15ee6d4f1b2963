import type { SurveyGroup, SurveyQuestion, SurveyValue } from '../../../domain/inspection_questionnaire.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';

type ValueRow = Omit<SurveyValue, 'score'> & { score: string | null; list: string };
type QuestionRow = Omit<SurveyQuestion, 'values'> & { part: number; valueGroup: string | null };

/** The current parts of a survey type with their questions, in walking order. */
export async function surveyQuestions(db: Queryable, schema: string, type: number): Promise<SurveyGroup[]> {
  const s = quoted(schema);
  const groups = childTable(schema, 'tis_survey_type', 'groups');
  const parts = await db.query<Omit<SurveyGroup, 'questions'> & { part: number }>(
    `select g.id as part, m.id, m.code, m.name, m.instruction, g.repeat_per as per
     from ${groups} g join ${s}.tis_survey_group m on m.id = g.tis_survey_group_id where g.parent_id = $1 order by g.seq, g.id`,
    [type],
  );
  const questions = await db.query<QuestionRow>(
    `select g.id as part, f.id, f.code, f.question, f.input, f.unit, f.min_value::text as min, f.max_value::text as max, coalesce(f.weight, 0) as weight,
       coalesce(f.mandatory, true) as mandatory, coalesce(f.critical, false) as critical, f.photo_when as "photoWhen", f.show_if as "showIf", f.clause,
       f.value_group as "valueGroup"
     from ${groups} g join ${s}.tis_survey_field f on f.tis_survey_group_id = g.tis_survey_group_id and f.active
     where g.parent_id = $1 order by g.seq, g.id, f.seq, f.id`,
    [type],
  );
  const lists = [...new Set(questions.flatMap(({ valueGroup }) => valueGroup ?? []))];
  const values = lists.length === 0 ? [] : await valuesOf(db, s, lists);
  const byList = Map.groupBy(values, ({ list }) => list);
  const byPart = Map.groupBy(questions, ({ part }) => part);
  return parts.flatMap(({ part, ...group }) => {
    const own = byPart.get(part) ?? [];
    if (own.length === 0) return [];
    return {
      ...group,
      questions: own.map(({ part: _part, valueGroup, ...question }) => ({
        ...question,
        values: (byList.get(valueGroup ?? '') ?? []).map(({ list: _list, score, ...value }) => ({
          ...value,
          score: score === null ? null : Number(score),
        })),
      })),
    };
  });
}

async function valuesOf(db: Queryable, s: string, lists: string[]): Promise<ValueRow[]> {
  // A client's tables are made when they are first used.
  const [made] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.tis_survey_value`,
  ]);
  if (made?.there !== true) return [];
  return db.query<ValueRow>(
    `select value_group as list, id, code, label, score, coalesce(not_applicable, false) as "notApplicable", severity, advice, cost_estimate::text as cost,
       service_id as service from ${s}.tis_survey_value where value_group = any($1) and active order by score desc nulls last, id`,
    [lists],
  );
}
