import { createHash } from 'node:crypto';
import type { SurveyGroup, SurveyQuestion, SurveyValue } from '../../domain/inspection_questionnaire.ts';
import { BESIDE, TIMES, inspectionQuestionnaire } from '../../domain/inspection_questionnaire.ts';
import { formOf } from '../../domain/questionnaire/answer_form.ts';
import type { Question, Questionnaire } from '../../domain/questionnaire/question.ts';
import type { Queryable } from './database.ts';
import type { Move } from './move.ts';
import { quoted } from './names.ts';

/** The number of inspections per statement. */
const AT_ONCE = 200;
const LONGEST_REMARK = 500;

type QuestionRow = Omit<SurveyQuestion, 'values'> & { list: string | null };
type ValueRow = Omit<SurveyValue, 'score'> & { score: string | null; list: string; active: boolean };
type GroupRow = Omit<SurveyGroup, 'per' | 'questions'>;

/** A question of an inspection with its answer, in the former row format. */
interface OldRow {
  field: number;
  group: number;
  repeat: number | null;
  list: string | null;
  answer: number | null;
  text: string | null;
  remark: string | null;
  photo: number | null;
  cost: string | null;
  follow: string | null;
}
interface OldInspection {
  id: number;
  type: number;
  version: number | null;
  landings: number | null;
  ropes: number | null;
  car_doors: number | null;
  at: string;
  by: number | null;
  rows: OldRow[];
}
interface Masters {
  groups: ReadonlyMap<number, GroupRow>;
  questions: ReadonlyMap<number, QuestionRow>;
  values: ReadonlyMap<string, ValueRow[]>;
  /** How a group is repeated in a type, by `type/group`. */
  per: ReadonlyMap<string, string | null>;
}

async function readMasters(on: Queryable, s: string): Promise<Masters> {
  const groups = await on.query<GroupRow>(`select id, code, name, instruction from ${s}.tis_survey_group`);
  const questions = await on.query<QuestionRow>(
    `select id, code, question, input, unit, min_value::text as min, max_value::text as max, coalesce(weight, 0) as weight, coalesce(mandatory, true) as mandatory,
       coalesce(critical, false) as critical, photo_when as "photoWhen", null as "showIf", clause, value_group as list from ${s}.tis_survey_field`,
  );
  const values = await on.query<ValueRow>(
    `select value_group as list, id, code, label, score, coalesce(not_applicable, false) as "notApplicable", severity, advice, cost_estimate::text as cost, active
     from ${s}.tis_survey_value order by score desc nulls last, id`,
  );
  const per = await on.query<{ type: number; group: number; per: string | null }>(
    `select parent_id as type, tis_survey_group_id as "group", repeat_per as per from ${s}.tis_survey_type__groups`,
  );
  return {
    groups: new Map(groups.map((one) => [one.id, one])),
    questions: new Map(questions.map((one) => [one.id, one])),
    values: Map.groupBy(values, ({ list }) => list),
    per: new Map(per.map((one) => [`${one.type}/${one.group}`, one.per])),
  };
}

/** The repetitions of a part: as the type defines, or as often as it was asked. */
function perOf(inspection: OldInspection, group: number, rows: readonly OldRow[], { per }: Masters): string | null {
  const max = Math.max(0, ...rows.map(({ repeat }) => repeat ?? 0));
  if (max === 0) return null;
  const said = per.get(`${inspection.type}/${group}`) ?? '';
  const times = (one: string) => Number(inspection[TIMES[one] as 'landings'] ?? 0);
  if (said in TIMES && times(said) >= max) return said;
  return Object.keys(TIMES).find((one) => times(one) === max) ?? 'landing';
}

/** The former questionnaire of an inspection: its own questions in order, with the options of their lists. */
function questionnaireOf(inspection: OldInspection, masters: Masters): Questionnaire {
  const parts = [...Map.groupBy(inspection.rows, ({ group }) => group)];
  return inspectionQuestionnaire(
    parts.map(([group, rows]): SurveyGroup => {
      const byField = Map.groupBy(rows, ({ field }) => field);
      return {
        ...masters.groups.get(group)!,
        per: perOf(inspection, group, rows, masters),
        questions: [...byField].map(([field, own]) => {
          const { list, ...question } = masters.questions.get(field)!;
          const used = new Set(own.map(({ answer }) => answer));
          const offered = masters.values.get(own[0]!.list ?? list ?? '') ?? [];
          return {
            ...question,
            values: offered
              .filter(({ id, active }) => active || used.has(id))
              .map(({ list: _list, active: _active, score, ...value }) => ({
                ...value,
                score: score === null ? null : Number(score),
              })),
          };
        }),
      };
    }),
  );
}

/** The answer in the question's form; null = not possible. */
function valueOf(question: Question, { answer, text, photo }: OldRow): unknown {
  const chosen = question.options.find(({ facts }) => answer !== null && facts?.value === answer)?.code;
  const said = text?.trim() ?? '';
  const given =
    question.type === 'single_choice'
      ? chosen
      : question.type === 'multiple_choice'
        ? chosen && [chosen]
        : question.type === 'file' || question.type === 'signature'
          ? photo
          : question.type === 'yes_no'
            ? said.toLowerCase()
            : said;
  const formed = formOf(question, given ?? null);
  return 'value' in formed ? formed.value : null;
}

/** The answers created from a row, by key. */
function answersOf(lead: Question, row: OldRow): [string, unknown][] {
  const value = valueOf(lead, row);
  const isFile = lead.type === 'file' || lead.type === 'signature';
  const isChoice = lead.options.length > 0;
  const unsaid = isFile || isChoice || value === null ? (row.text?.trim() ?? '') : '';
  const remark = [unsaid, row.remark?.trim() ?? ''].filter((one) => one !== '').join(' · ');
  const key = (end: string) => `${lead.code}${end}${row.repeat === null ? '' : `#${row.repeat}`}`;
  const found: [string, unknown][] = [
    [key(''), value],
    [key(BESIDE.photo), isFile || row.photo === null ? null : [row.photo]],
    [key(BESIDE.remark), remark === '' ? null : remark.slice(0, LONGEST_REMARK)],
    [key(BESIDE.cost), row.cost === null ? null : Number(row.cost)],
    [key(BESIDE.followUp), row.follow],
  ];
  return found.filter(([, one]) => one !== null);
}

/** Versions by type and hash, with the numbers given in the inspections, if free. */
class Versions {
  readonly #known = new Map<string, { id: number; version_no: number }>();
  readonly #on: Queryable;
  readonly #table: string;

  constructor(on: Queryable, schema: string) {
    this.#on = on;
    this.#table = `${schema}.questionnaire_version`;
  }

  async of(type: number, said: number | null, content: Questionnaire): Promise<{ id: number; version_no: number }> {
    const text = JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('hex');
    const key = `${type} ${hash}`;
    const known = this.#known.get(key);
    if (known) return known;
    const of = [type, hash, said, text];
    const [version] = await this.#on.query<{ id: number; version_no: number }>(
      `with own as (select id, version_no, hash from ${this.#table} where record_type = 'tis_survey_type' and record_id = $1),
       added as (insert into ${this.#table} (record_type, record_id, version_no, hash, content)
         select 'tis_survey_type', $1, case when $3::int is null or exists (select 1 from own where version_no = $3)
           then coalesce((select max(version_no) from own), 0) + 1 else $3 end, $2, $4::jsonb
         where not exists (select 1 from own where hash = $2) returning id, version_no)
       select id, version_no from added union all (select id, version_no from own where hash = $2 limit 1)`,
      of,
    );
    this.#known.set(key, version!);
    return version!;
  }
}

/** The inspections after one, with the rows of their questions. */
function nextInspections(on: Queryable, s: string, after: number): Promise<OldInspection[]> {
  return on.query<OldInspection>(
    `select i.id, i.survey_type_id as type, i.type_version as version, i.landings, i.ropes, i.car_doors,
       coalesce(i.submitted_at, i.updated_at, now()) as at, coalesce(i.submitted_by_id, i.updated_by) as by,
       (select json_agg(json_build_object('field', a.tis_survey_field_id, 'group', f.tis_survey_group_id, 'repeat', a.repeat_no, 'list', a.value_group,
          'answer', a.answer_id, 'text', a.answer_text, 'remark', a.remark, 'photo', a.photo, 'cost', a.cost::text, 'follow', a.follow_up) order by a."position")
        from ${s}.tis_inspection__answers a join ${s}.tis_survey_field f on f.id = a.tis_survey_field_id where a.parent_id = i.id) as rows
     from ${s}.tis_inspection i where i.id > $1 and exists (select 1 from ${s}.tis_inspection__answers a where a.parent_id = i.id)
     order by i.id limit ${AT_ONCE}`,
    [after],
  );
}

/**
 * Migrates the questions of inspections from rows to answers to a questionnaire. The questions of each inspection
 * become a version of its survey type, equal ones the same version; answers that do not fit their question's form are
 * kept in the remark. Score and grade are unchanged, faults are listed.
 */
export const inspectionAnswers: Move = {
  name: 'move the answers of inspections to questionnaires',
  type: 'tis_inspection',
  rows: 'answers',
  columns: ['tis_survey_field_id', 'repeat_no', 'answer_id', 'answer_text'],
  async run(on, schema) {
    const s = quoted(schema);
    const masters = await readMasters(on, s);
    const versions = new Versions(on, s);
    let after = 0;
    for (
      let batch = await nextInspections(on, s, after);
      batch.length > 0;
      batch = await nextInspections(on, s, after)
    ) {
      for (const inspection of batch) {
        const content = questionnaireOf(inspection, masters);
        const version = await versions.of(inspection.type, inspection.version, content);
        const leads = new Map(
          content.sections.flatMap(({ questions }) =>
            questions.flatMap((one) => (one.facts ? [[Number(one.facts.field), one] as const] : [])),
          ),
        );
        const answers = inspection.rows.flatMap((row) => answersOf(leads.get(row.field)!, row));
        await on.query(
          `insert into ${s}.answer (record_type, record_id, field, code, value, at, client, seq, by)
           select 'tis_inspection', $1, 'answers', x.code, x.value, $3, 'moved', 0, $4 from jsonb_to_recordset($2::jsonb) as x(code text, value jsonb)
           on conflict do nothing`,
          [
            inspection.id,
            JSON.stringify(answers.map(([code, value]) => ({ code, value }))),
            inspection.at,
            inspection.by,
          ],
        );
        await on.query(`update ${s}.tis_inspection set answers = $2, type_version = $3 where id = $1`, [
          inspection.id,
          version.id,
          version.version_no,
        ]);
      }
      after = batch.at(-1)!.id;
    }
    await on.query(
      `insert into ${s}.tis_inspection__findings (parent_id, "position", tis_survey_field_id, repeat_no, answer, severity, remark, advice, cost, follow_up, photo)
       select a.parent_id, row_number() over (partition by a.parent_id order by a."position") - 1, a.tis_survey_field_id, a.repeat_no, v.label, a.severity,
         a.remark, v.advice, coalesce(a.cost, v.cost_estimate), a.follow_up, a.photo
       from ${s}.tis_inspection__answers a left join ${s}.tis_survey_value v on v.id = a.answer_id where a.severity is distinct from 'ok' and a.severity is not null`,
    );
    await on.query(
      `update ${s}."file" set for_field = 'tis_inspection.answers' where for_field = 'tis_inspection.answers.photo'`,
    );
  },
};
