import { crossTab } from '../../../domain/questionnaire/cross_tab.ts';
import { codeOf } from '../../../domain/questionnaire/answer_form.ts';
import type { Question } from '../../../domain/questionnaire/question.ts';
import { groupsOf, resultsOf, spreadOf, valuesOf } from '../../../domain/questionnaire/results.ts';
import type { AnsweredBy, AnswerLine, QuestionnaireSummary } from '../../../domain/questionnaire/results.ts';
import { answerText, withoutAnswers } from '../../../domain/questionnaire/shown_text.ts';
import { answerStep } from '../../../descriptor/public_page.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { AppError } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { Engine } from '../records/engine.ts';
import { touchesSight } from '../records/visible.ts';
import { anonymousAnswers, settleAnonymous } from './anonymous_answers.ts';
import { templateOf } from './answered_version.ts';
import { latestVersion } from './versions.ts';

interface Answered {
  type: string;
  id: number;
  facts: Record<string, unknown>;
  score: string | null;
  answers: AnsweredBy;
}

export interface ResultsDeps {
  engine: Pick<Engine, 'read'>;
  screens(session: Session): Map<string, Screen>;
  ensure(session: Session, screen: Screen): Promise<unknown>;
}

/** The maximum number of answers counted: the latest. */
const MAX_COUNTED = 50_000;
/** The maximum number of values of a field used for grouping. */
const MAX_GROUPS = 30;

/** A type whose records answer a template, with its answers field. */
interface Answering {
  screen: Screen;
  field: Field;
  state: string;
  open: readonly string[];
  score: Field | undefined;
  /** The field that marks people who were screened out: they do not count. */
  out: Field | undefined;
}

const GROUP_TYPES: ReadonlySet<string> = new Set(['enum', 'boolean', 'text']);

/** Fields of the answering record by which answers can be grouped. */
function groupFields({ screen, out }: Answering, screens: Map<string, Screen>): Field[] {
  if (touchesSight(screen, screens)) return [];
  const own = [screen.number?.field, screen.workflow?.field, out?.name, ...screen.label];
  return screen.fields.filter(
    ({ name, type, secret, masked, encrypted }) =>
      GROUP_TYPES.has(type) && !secret && !masked && !encrypted && !own.includes(name),
  );
}

/** Results of questionnaires, for people who may see the template and the answering records. */
export class QuestionnaireResults {
  readonly #deps: ResultsDeps;

  constructor(deps: ResultsDeps) {
    this.#deps = deps;
  }

  /** The results, each question by group if a grouping is given. @throws AppError 400, 403, 404 */
  async read(session: Session, template: Screen, id: number, by: string | null): Promise<QuestionnaireSummary> {
    const { content, answering, all, open, title, least } = await this.#answers(session, template, id);
    const screens = this.#deps.screens(session);
    const questions = content.sections.flatMap((section) => section.questions);
    const closed = questions.filter((question) => groupsOf(question) !== null);
    const fields = least > 0 ? [] : answering.flatMap((one) => groupFields(one, screens));
    const groups = [
      ...closed.map(({ code, text }) => ({ code: `q.${code}`, title: withoutAnswers(text) })),
      ...[...new Map(fields.map((field) => [field.name, field])).values()].map(({ name, title: called }) => ({
        code: `r.${name}`,
        title: called,
      })),
    ];
    if (by !== null && !groups.some(({ code }) => code === by))
      throw new AppError(400, 'bad_request', 'The results cannot be grouped by this.', { field: 'by' });
    const tooFew = all.length < least;
    const scores = all.flatMap(({ score }) => (score === null ? [] : [Number(score)]));
    return {
      title,
      answered: tooFew ? null : all.length,
      open,
      least,
      score: tooFew ? [] : spreadOf(scores),
      questions: resultsOf(
        content,
        all.map(({ answers }) => answers),
        least,
      ),
      groups,
      cross: by === null ? null : tooFew ? [] : crossed(closed, fields, all, by, least),
    };
  }

  /** The answering records, each with its answers as text; none for anonymous ones. @throws AppError 403, 404 */
  async lines(
    session: Session,
    template: Screen,
    id: number,
  ): Promise<{ questions: { code: string; text: string }[]; lines: AnswerLine[] }> {
    const { content, all, least } = await this.#answers(session, template, id);
    const questions = content.sections
      .flatMap((section) => section.questions)
      .filter(({ type }) => type !== 'statement');
    if (least > 0)
      throw new AppError(403, 'forbidden', 'These answers are anonymous: they are only shown in total.', {
        reason: 'anonymous',
      });
    const lines = all.map(({ type, id: record, facts, score, answers }) => ({
      type,
      id: record,
      title: String(facts.title ?? `#${record}`),
      score,
      answers: Object.fromEntries(
        questions.flatMap((question) => {
          const texts = valuesOf(question, answers).map(({ value, na = false }) =>
            answerText({ question, value, na, rows: question.rows }),
          );
          return texts.length === 0 ? [] : [[question.code, texts.join(' | ')]];
        }),
      ),
    }));
    return { questions: questions.map(({ code, text }) => ({ code, text: withoutAnswers(text) })), lines };
  }

  async #answers(session: Session, template: Screen, id: number) {
    const { tenant } = session;
    await this.#deps.engine.read(session, template, id);
    const screens = this.#deps.screens(session);
    const [version, found] = await Promise.all([
      latestVersion(tenant, { type: template.name, id }),
      templateOf(tenant, template, id),
    ]);
    if (!version || !found) throw new AppError(404, 'not_found', 'This questionnaire is not published yet.');
    const answering = answeringTypes(screens, template).filter(
      ({ screen }) => session.rights.refuse(screen, 'landing') === null,
    );
    if (answering.length === 0)
      throw new AppError(403, 'forbidden', 'Your role does not include the answers to it.', { reason: 'screen' });
    for (const { screen } of answering) await this.#deps.ensure(session, screen);
    const least = version.content.anonymous?.least ?? 0;
    if (least > 0) {
      const wide = answering.every(({ screen }) =>
        ['company', 'all_companies'].includes(session.rights.dataScope(screen)),
      );
      if (!wide)
        throw new AppError(
          403,
          'forbidden',
          'These answers are anonymous: only people who may see those of the whole company can see them.',
          { reason: 'scope' },
        );
      const of = { type: template.name, id };
      // Once the questionnaire is closed, the remaining answers count too.
      if (found.standing === 'over') await tenant.db.transaction((db) => settleAnonymous({ ...tenant, db }, of, 1));
      const all = (await anonymousAnswers(tenant, of)).map(({ answers, score }): Answered => ({
        type: '',
        id: 0,
        facts: {},
        score,
        answers,
      }));
      return { content: version.content, answering, all, open: 0, title: found.title, least };
    }
    const all: Answered[] = [];
    let open = 0;
    for (const one of answering) {
      const read = await answersOfType(session, screens, one, id);
      all.push(...read.all);
      open += read.open;
    }
    return { content: version.content, answering, all, open, title: found.title, least };
  }
}

/** The types whose records answer questionnaires of a template. */
function answeringTypes(screens: Map<string, Screen>, template: Screen): Answering[] {
  return [...screens.values()].flatMap((screen) => {
    const found = answerStep(screen);
    const reference = screen.fields.find(({ name }) => name === found?.field.answersOf);
    if (!found || reference?.ref?.type !== template.name || typeof found.step.to !== 'string') return [];
    const args = found.step.effects.find(({ name }) => name === 'hand_in')?.args ?? {};
    const score = screen.fields.find(({ name }) => name === args.score);
    const out = screen.fields.find(({ name }) => name === args.screened_out);
    return [{ screen, field: found.field, state: found.step.to, open: found.step.from, score, out }];
  });
}

async function answersOfType(
  session: Session,
  screens: Map<string, Screen>,
  one: Answering,
  template: number,
): Promise<{ all: Answered[]; open: number }> {
  const { screen, field, state, open, score, out } = one;
  const { tenant } = session;
  const values = new SqlParams();
  const table = tableName(tenant.schema, screen.name);
  const status = `r.${quoted(screen.workflow!.field)}`;
  const where = [
    `r.${quoted(field.answersOf!)} = ${values.bind(template)}`,
    'r.active',
    ...(out ? [`r.${quoted(out.name)} is not true`] : []),
    ...rowScope(session, screen, screens, 'r', values),
  ].join(' and ');
  const fields = groupFields(one, screens);
  const title = screen.fields.find(({ name, type }) => name === screen.label[0] && ['text', 'name'].includes(type));
  const facts = [...fields, ...(title ? [title] : [])].map(({ name }) => `'${name}', r.${quoted(name)}`);
  const scored = score ? `r.${quoted(score.name)}::text` : 'null';
  const list = values.list;
  const [counted] = await tenant.db.query<{ n: number }>(
    `select count(*)::integer as n from ${table} r where ${where} and ${status} = any($${list.length + 1}::text[])`,
    [...list, open],
  );
  const rows = await tenant.db.query<{
    id: number;
    facts: Record<string, unknown>;
    score: string | null;
    answers: AnsweredBy | null;
  }>(
    `select r.id, jsonb_build_object(${[`'id', r.id`, ...facts].join(', ')}) as facts, ${scored} as score,
       (select jsonb_object_agg(a.code, jsonb_build_object('value', a.value, 'na', a.na)) from ${quoted(tenant.schema)}.answer a
         where a.record_type = $${list.length + 2} and a.record_id = r.id and a.field = $${list.length + 3} and not a.late) as answers
     from ${table} r where ${where} and ${status} = $${list.length + 1} order by r.id desc limit ${MAX_COUNTED}`,
    [...list, state, screen.name, field.name],
  );
  const all = rows.map((row) => ({
    type: screen.name,
    id: row.id,
    facts: { ...row.facts, title: title ? row.facts[title.name] : null },
    score: row.score,
    answers: row.answers ?? {},
  }));
  return { all, open: counted?.n ?? 0 };
}

/** The group of a record by a field, as text. */
function factOf(field: Field, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (field.type === 'boolean') return value === true ? 'Yes' : 'No';
  return field.options?.find((option) => option.value === value)?.label ?? String(value);
}

function crossed(
  closed: readonly Question[],
  fields: readonly Field[],
  all: readonly Answered[],
  by: string,
  least: number,
): NonNullable<QuestionnaireSummary['cross']> {
  const [kind, ...rest] = by.split('.');
  const name = rest.join('.');
  const codeIn = (question: Question, { answers }: Answered): string | null => {
    const [first] = valuesOf(question, answers);
    return first === undefined || first.na || first.value === null
      ? null
      : (codeOf(first.value) ?? String(first.value));
  };
  let rows: { code: string; label: string }[];
  let rowOf: (one: Answered) => string | null;
  if (kind === 'q') {
    const question = closed.find(({ code }) => code === name)!;
    rows = groupsOf(question)!;
    rowOf = (one) => codeIn(question, one);
  } else {
    const field = fields.find((one) => one.name === name)!;
    rowOf = ({ facts }) => factOf(field, facts[name]);
    rows = [...new Set(all.map(rowOf))]
      .filter((one) => one !== null)
      .sort()
      .slice(0, MAX_GROUPS)
      .map((label) => ({ code: label, label }));
  }
  const place = new Map(rows.map(({ code }, at) => [code, at]));
  return closed
    .filter(({ code }) => by !== `q.${code}`)
    .map((question) => {
      const columns = groupsOf(question)!;
      const columnOf = new Map(columns.map(({ code }, at) => [code, at]));
      const pairs = all.flatMap((one) => {
        const row = place.get(rowOf(one) ?? '');
        const column = columnOf.get(codeIn(question, one) ?? '');
        return row === undefined || column === undefined ? [] : [[row, column] as const];
      });
      const labels = (list: readonly { label: string }[]) => list.map(({ label }) => label);
      return {
        code: question.code,
        text: withoutAnswers(question.text),
        ...crossTab(labels(rows), labels(columns), pairs, least),
      };
    });
}
