import { formOf } from '../../../domain/questionnaire/answer_form.ts';
import type { Answers, Question } from '../../../domain/questionnaire/question.ts';
import { tableName, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import type { QuestionnaireVersion } from './versions.ts';

/** The target of answers: a record and its answers field. */
export interface AnswersOf {
  type: string;
  id: number;
  field: string;
}

/**
 * An answer as a device sends it. `at`: when it was given on the device; `client`, `seq`: the device and the sequence
 * number of the answer.
 */
export interface SentAnswer {
  code: string;
  value?: unknown;
  na?: boolean;
  at: string;
  client: string;
  seq: number;
}

/** An answer as it is kept. */
export interface KeptAnswer extends Required<Omit<SentAnswer, 'value'>> {
  value: unknown;
  late: boolean;
}

/** Answers of one call. */
export const MAX_ANSWERS = 500;

/** The question of a key: its code, or `code#entry` in a repeated section. */
function questionOf({ content }: QuestionnaireVersion, key: string): Question | undefined {
  const [code, which] = key.split('#');
  for (const { questions, repeatOver } of content.sections) {
    const found = questions.find((one) => one.code === code);
    if (found) return (repeatOver === undefined) === (which === undefined) ? found : undefined;
  }
  return undefined;
}

/** Answers in stored form, and the invalid ones. */
export function formed(
  version: QuestionnaireVersion,
  sent: readonly SentAnswer[],
): { answers: Omit<KeptAnswer, 'late'>[]; refused: FieldError[]; files: number[] } {
  const answers = new Map<string, Omit<KeptAnswer, 'late'>>();
  const refused: FieldError[] = [];
  const files: number[] = [];
  for (const { code, value, na = false, at, client, seq } of sent) {
    const question = questionOf(version, code);
    const result = question ? formOf(question, na ? null : value) : { error: 'This is not asked.' };
    if ('error' in result) {
      refused.push({ field: code, message: result.error });
      continue;
    }
    if (question!.type === 'file' || question!.type === 'signature')
      files.push(...((result.value as number[] | null) ?? []));
    const one = { code, value: result.value, na: na && question!.mayBeNa === true, at, client, seq };
    const before = answers.get(code);
    if (!before || Date.parse(before.at) < Date.parse(at) || (before.at === at && before.seq < seq))
      answers.set(code, one);
  }
  return { answers: [...answers.values()], refused, files };
}

/**
 * Saves answers, each separately: of two for one question the later one counts, by the device's time, which is never in
 * the future. One statement: it waits for a concurrent submission, and then saves nothing. `state`: the field and the
 * value that the record must still have. `late`: it was submitted, and these are stored separately.
 * @returns whether the record still accepts answers
 */
export async function keepAnswers(
  tenant: Tenant,
  { type, id, field }: AnswersOf,
  answers: readonly Omit<KeptAnswer, 'late'>[],
  {
    version,
    by,
    state,
    late = false,
  }: { version: number; by: number | null; state?: { field: string; value: unknown } | undefined; late?: boolean },
): Promise<boolean> {
  const table = tableName(tenant.schema, type);
  const [row] = await tenant.db.query<{ open: boolean }>(
    preparedStatement(
      `with held as (select id from ${table} where id = $1::bigint and ${quoted(field)} = $2::bigint${
        state ? ` and ${quoted(state.field)} = $5::text` : ''
      } for share),
     given as (select * from jsonb_to_recordset($3::jsonb) as x(code text, value jsonb, na boolean, at timestamptz, client text, seq bigint)),
     kept as (insert into ${quoted(tenant.schema)}.answer as a (record_type, record_id, field, code, late, value, na, at, client, seq, by)
       select ${literalOf(type)}, held.id, ${literalOf(field)}, given.code, ${late}, given.value, given.na, least(given.at, now()), given.client, given.seq, $4::bigint
       from held, given
       on conflict (record_type, record_id, field, code, late) do update
         set value = excluded.value, na = excluded.na, at = excluded.at, client = excluded.client, seq = excluded.seq, by = excluded.by
         where (excluded.at, excluded.seq, excluded.client) > (a.at, a.seq, a.client))
     select exists (select 1 from held) as open`,
      [id, version, JSON.stringify(answers), by, ...(state ? [state.value] : [])],
    ),
  );
  return row?.open === true;
}

/** A name of a descriptor as an SQL string literal. */
const literalOf = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/**
 * Adds a file to the answer of a question, in one statement: of two concurrent ones both are kept. Nothing is added if
 * the record has left `state`, answers another version, or already has the maximum number of files there. @returns
 * whether it was added
 */
export async function addAnswerFile(
  tenant: Tenant,
  { type, id, field }: AnswersOf,
  { code, file, max, client, seq }: { code: string; file: number; max: number; client: string; seq: number },
  { version, state }: { version: number; state: { field: string; value: unknown } },
): Promise<boolean> {
  const rows = await tenant.db.query(
    `with held as (select id from ${tableName(tenant.schema, type)}
       where id = $1::bigint and ${quoted(field)} = $2::bigint and ${quoted(state.field)} = $3::text for share)
     insert into ${quoted(tenant.schema)}.answer as a (record_type, record_id, field, code, value, at, client, seq)
     select $4, held.id, $5, $6, jsonb_build_array($7::bigint), now(), $8, $9::bigint from held
     on conflict (record_type, record_id, field, code, late) do update
       set value = case jsonb_typeof(a.value) when 'array' then a.value else '[]'::jsonb end || excluded.value, na = false,
         at = greatest(a.at, excluded.at), client = excluded.client, seq = excluded.seq
       where jsonb_typeof(a.value) is distinct from 'array' or jsonb_array_length(a.value) < $10::integer
     returning 1`,
    [id, version, state.value, type, field, code, file, client, seq, max],
  );
  return rows.length > 0;
}

/** Fixes the version that a record answers, if none is fixed yet. @returns the fixed version */
export async function fixVersion(tenant: Tenant, { type, id, field }: AnswersOf, version: number): Promise<number> {
  const [row] = await tenant.db.query<{ version: number }>(
    `update ${tableName(tenant.schema, type)} set ${quoted(field)} = coalesce(${quoted(field)}, $2) where id = $1 returning ${quoted(field)} as version`,
    [id, version],
  );
  return Number(row?.version ?? version);
}

/** All answers of a record, including late ones. */
export async function answersOf(tenant: Tenant, { type, id, field }: AnswersOf): Promise<KeptAnswer[]> {
  const rows = await tenant.db.query<KeptAnswer & { seq: number | string }>(
    `select code, value, na, at, client, seq, late from ${quoted(tenant.schema)}.answer
     where record_type = $1 and record_id = $2 and field = $3 order by code, late`,
    [type, id, field],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Answers by key, as the questionnaire engine expects them. */
export const asAnswers = (rows: readonly KeptAnswer[]): Answers =>
  Object.fromEntries(rows.filter(({ late }) => !late).map(({ code, value, na }) => [code, { value, na }]));

/** Stores the submitted answers of a record: hidden ones are removed, computed ones added. */
export async function settleAnswers(
  tenant: Tenant,
  { type, id, field }: AnswersOf,
  dropped: readonly string[],
  changed: Readonly<Record<string, unknown>>,
  at: string,
): Promise<void> {
  const s = quoted(tenant.schema);
  if (dropped.length > 0)
    await tenant.db.query(
      `delete from ${s}.answer where record_type = $1 and record_id = $2 and field = $3 and not late and code = any($4::text[])`,
      [type, id, field, dropped],
    );
  if (Object.keys(changed).length > 0)
    await tenant.db.query(
      `insert into ${s}.answer (record_type, record_id, field, code, value, at, client, seq)
       select $1, $2, $3, x.key, x.value, $5, 'server', 0 from jsonb_each($4::jsonb) x
       on conflict (record_type, record_id, field, code, late) do update set value = excluded.value, at = excluded.at, client = excluded.client`,
      [type, id, field, JSON.stringify(changed), at],
    );
}
