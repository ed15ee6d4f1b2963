import type { RecordFigure } from '../../engine/record_figure.ts';
import { departmentOf } from '../../engine/record_figure.ts';

const OWNERS: RecordFigure['of'] = {
  employee: 's.owner_id',
  department: departmentOf('s.owner_id'),
  entity: 's.entity_id',
};

/** The complete, named answers to questions of one type in surveys, with the highest point of their scale. */
const answersTo = (type: 'nps' | 'csat', highest: number): string => `from {survey_answer} a
      join {survey} s on s.id = a.survey_id and s.anonymity = 'named'
      join {questionnaire_version} v on v.id = a.answers
      cross join lateral jsonb_path_query(v.content, '$.sections[*].questions[*] ? (@.type == "${type}")') q
      join {answer} w on w.record_type = 'survey_answer' and w.record_id = a.id and w.field = 'answers' and not w.late and not w.na
        and split_part(w.code, '#', 1) = q ->> 'code' and jsonb_typeof(w.value) = 'number'
      cross join lateral (select (w.value #>> '{}')::numeric as point, coalesce(nullif(q ->> 'max', '')::numeric, ${highest}) as best) p
      cross join span
      where a.active and a.status = 'complete' and not coalesce(a.screened_out, false) and :owner = any(span.owners)
        and (w.at at time zone span.zone)::date between span.first and span.last group by 1`;

/** Figures of the owners of surveys, their departments and the company, by the days of the answers. Anonymous surveys have none: their answers have no day. */
export const recordFigures: Record<string, RecordFigure> = {
  sur_nps: {
    title: 'Recommendation in surveys (NPS)',
    reads: ['survey', 'survey_answer'],
    of: OWNERS,
    sql: `select :owner as owner,
      round(100.0 * (count(*) filter (where p.point >= 9) - count(*) filter (where p.point <= 6)) / count(*), 1)::text as value
      ${answersTo('nps', 10)}`,
  },
  sur_csat: {
    title: 'Satisfied in surveys (CSAT), %',
    reads: ['survey', 'survey_answer'],
    of: OWNERS,
    sql: `select :owner as owner, round(100.0 * count(*) filter (where p.point >= p.best - 1) / count(*), 1)::text as value
      ${answersTo('csat', 5)}`,
  },
};
