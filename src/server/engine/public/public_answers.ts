import { MAX_FILES } from '../../../domain/questionnaire/answer_form.ts';
import type { Questionnaire } from '../../../domain/questionnaire/question.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { answerStep } from '../../../descriptor/public_page.ts';
import type { PublicQuestions } from '../../../descriptor/public_page.ts';
import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Caller, Tenant } from '../../db/tenant.ts';
import type { FileStore } from '../../services/files/store.ts';
import { addAnswerFile, answersOf, asAnswers, fixVersion, formed } from '../questionnaire/answer_rows.ts';
import type { SentAnswer } from '../questionnaire/answer_rows.ts';
import { keepAnonymous, noteAnswered } from '../questionnaire/anonymous_answers.ts';
import type { AnsweredTemplate, InTenant } from '../questionnaire/anonymous_answers.ts';
import { attributesOf, templateColumns, templateFrom, templateOf } from '../questionnaire/answered_version.ts';
import type { Template, TemplateRow } from '../questionnaire/answered_version.ts';
import { saveAnswers } from '../questionnaire/answers.ts';
import type { QuestionnaireVersion } from '../questionnaire/versions.ts';
import { latestVersion, versionById } from '../questionnaire/versions.ts';
import type { KeptToken, PublicScreen } from './public_links.ts';

/** The current questionnaire of a public page. */
export interface PublicSheet {
  title: string;
  texts: Template['texts'];
  /** Null: it cannot be answered now. */
  version: QuestionnaireVersion | null;
  answers: PublicQuestions['answers'];
  attributes: Record<string, unknown>;
  seed: string;
  /** The template of the questionnaire. */
  template: AnsweredTemplate;
}

/** The maximum file size of an answer, in bytes. */
const FILE_BYTES = 10 * 1024 * 1024;

/** The answers field, its submitting transition, and the type of the template. */
function asked(
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): { field: Field; step: Transition; template: Screen } {
  const found = answerStep(screen);
  const reference = screen.fields.find(({ name }) => name === found?.field.answersOf);
  const template = screens.get(reference?.ref?.type ?? '');
  if (!found || !template) throw notFound();
  return { ...found, template };
}

/** The version to answer: the one already started, otherwise the published one; none once the template is closed. */
async function openVersion(
  tenant: Tenant,
  template: { type: string; id: number; standing: Template['standing'] },
  fixed: number | null,
): Promise<QuestionnaireVersion | null> {
  if (template.standing === 'over') return null;
  if (fixed !== null) return versionById(tenant, fixed);
  return template.standing === 'published' ? latestVersion(tenant, template) : null;
}

/** The questionnaire of a page: of the template before it is started, otherwise of the answering record. */
export async function publicSheet(
  tenant: Tenant,
  {
    screen,
    screens,
    record,
    begins,
  }: { screen: Screen; screens: ReadonlyMap<string, Screen>; record: WireRecord; begins: boolean },
): Promise<PublicSheet | null> {
  const { field, template } = asked(screen, screens);
  const id = Number(begins ? record.id : record[field.answersOf!]);
  const found = await templateOf(tenant, template, id);
  if (!found) return null;
  const fixed = begins ? null : (record[field.name] as number | null);
  const version = await openVersion(tenant, { type: template.name, id, standing: found.standing }, fixed);
  const of = { type: screen.name, id: record.id, field: field.name };
  const kept = begins ? {} : asAnswers(await answersOf(tenant, of));
  return {
    ...found,
    version,
    answers: Object.entries(kept).map(([code, { value, na = false }]) => ({ code, value, na })),
    template: { type: template.name, id },
    // For anonymous people the page has no facts.
    attributes:
      version && !begins && !version.content.anonymous ? namedOnly(attributesOf(screen, record), version.content) : {},
    seed: version?.content.anonymous ? seedOf(template.name, id) : seedOf(screen.name, record.id),
  };
}

/** Of the facts about a record, only those that the questionnaire names: the link gives access to nothing else. */
function namedOnly(facts: Record<string, unknown>, content: Questionnaire): Record<string, unknown> {
  const text = JSON.stringify(content);
  const hidden = new Set(
    content.sections.flatMap(({ questions }) =>
      questions.flatMap(({ type, code }) => (type === 'hidden' ? [code] : [])),
    ),
  );
  const isNamed = (name: string) => hidden.has(name) || new RegExp(`(recipient\\.|r:)${name}\\b`).test(text);
  return Object.fromEntries(Object.entries(facts).filter(([name]) => isNamed(name)));
}

/** A sheet as the page receives it; null while nothing can be answered. */
export function publicQuestions({ version, answers, attributes, seed }: PublicSheet): PublicQuestions | null {
  return (
    version && { content: version.content, answers, attributes, seed, least: version.content.anonymous?.least ?? null }
  );
}

/** The target of a token, as far as its answers need it. */
interface Opened {
  tenant: Tenant;
  kept: KeptToken;
  screen: PublicScreen;
  screens: ReadonlyMap<string, Screen>;
}

/** The sending device, and the sequence number of the answer. */
type FromDevice = Pick<SentAnswer, 'client' | 'seq'>;

const refusal = ({ screen }: Opened, status: 409 | 410): AppError => {
  if (!screen.public.explains) return notFound();
  return status === 410
    ? new AppError(410, 'closed', 'This can no longer be answered.')
    : new AppError(409, 'done', 'You have already answered. Thank you.');
};

/** An answering record with its template, ready to accept answers; in one statement, because each answer needs it. */
async function begun(opened: Opened) {
  const { tenant, kept, screen, screens } = opened;
  const { field, step, template } = asked(screen, screens);
  const state = screen.workflow!.field;
  const [row] = await tenant.db.query<
    TemplateRow & { active: boolean; state: string; version: number | null; template: number }
  >(
    preparedStatement(
      `select r.active, r.${quoted(state)} as state, r.${quoted(field.name)} as version, r.${quoted(field.answersOf!)} as template,
       ${templateColumns(template)}
     from ${tableName(tenant.schema, screen.name)} r
     left join ${tableName(tenant.schema, template.name)} t on t.id = r.${quoted(field.answersOf!)} where r.id = $1`,
      [kept.of_id],
    ),
  );
  const found = templateFrom(template, row);
  if (!row?.active || !found) throw notFound();
  if (!step.from.includes(row.state)) throw refusal(opened, 409);
  const fixed = row.version === null ? null : Number(row.version);
  const version = await openVersion(tenant, { type: template.name, id: row.template, standing: found.standing }, fixed);
  if (!version) throw refusal(opened, 410);
  if (version.content.anonymous)
    throw new AppError(409, 'anonymous', 'These answers are sent together, when they are handed in.');
  return {
    version,
    isFixed: fixed !== null,
    of: { type: screen.name, id: kept.of_id, field: field.name },
    state: { field: state, value: row.state },
  };
}

const isOfFiles = ({ content }: QuestionnaireVersion, key: string) => {
  const [code] = key.split('#');
  const question = content.sections.flatMap(({ questions }) => questions).find((one) => one.code === code);
  return question?.type === 'file' || question?.type === 'signature' ? question : null;
};

/** Answers of people without an account, through their link. */
export class PublicAnswers {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Saves answers, each separately. @returns the rejected answers with the reasons @throws AppError 404, 409, 410 */
  async save(opened: Opened, sent: readonly SentAnswer[]): Promise<FieldError[]> {
    const { tenant } = opened;
    const { version, of, ...more } = await begun(opened);
    const dropped = await this.#droppedFiles(tenant, of, version, sent);
    const refused = await saveAnswers(tenant, of, version, sent, { by: null, ...more });
    for (const file of dropped) await this.#files.remove(tenant, file);
    return refused;
  }

  /** Saves a file as an answer. @throws AppError 404, 409, 410, 413, 415, 422 */
  async addFile(
    opened: Opened,
    caller: Caller,
    key: string,
    { name, content }: { name: string; content: AsyncIterable<Buffer> },
    device: FromDevice,
  ): Promise<{ id: number; name: string }> {
    const { tenant } = opened;
    const { version, of, state, isFixed } = await begun(opened);
    const question = isOfFiles(version, key);
    const isAsked = formed(version, [{ code: key, value: [1], at: '', ...device }]).refused.length === 0;
    if (!question || !isAsked) throw notFound();
    const max = question.type === 'signature' ? 1 : (question.maxChoices ?? MAX_FILES);
    const file = await this.#files.save(caller, name, limited(content), `${of.type}.${of.field}`);
    const picture = question.type !== 'signature' || file.type.startsWith('image/');
    if (!isFixed && picture) await fixVersion(tenant, of, version.id);
    const isKept =
      picture &&
      (await addAnswerFile(tenant, of, { code: key, file: file.id, max, ...device }, { version: version.id, state }));
    if (isKept) return { id: file.id, name: file.name };
    await this.#files.remove(tenant, file.id);
    if (!picture) throw new AppError(415, 'unsupported', 'This is not a picture.');
    throw invalid([{ field: key, message: max === 1 ? 'There is a file already.' : `At most ${max} files.` }]);
  }

  /**
   * Submits anonymous answers: the record through which they were asked only stores that it was answered. Runs within a
   * transaction. @throws AppError 409, 422
   */
  async handIn(
    tenant: InTenant,
    { screen, kept }: Opened,
    sheet: PublicSheet,
    sent: readonly SentAnswer[],
  ): Promise<void> {
    const { step } = answerStep(screen)!;
    const version = sheet.version!;
    const { answers, refused } = formed(version, sent);
    if (refused.length > 0) throw invalid(refused);
    if (kept.own || screen.public.of === null) {
      const states = { field: screen.workflow!.field, from: step.from, to: String(step.to) };
      if (!(await noteAnswered(tenant, { type: screen.name, id: kept.of_id }, states)))
        throw refusal({ screen } as Opened, 409);
    }
    const given = Object.fromEntries(answers.map(({ code, value, na }) => [code, { value, na }]));
    const faults = await keepAnonymous(tenant, sheet.template, version, given);
    if (faults.length > 0) throw invalid(faults.map(({ key, message }) => ({ field: `answers.${key}`, message })));
  }

  /** Whether a page may show a file: a picture of its questions, or a file sent through it. */
  async shows({ tenant, kept, screen }: Opened, version: QuestionnaireVersion | null, file: number): Promise<boolean> {
    const pictures = version?.content.sections.flatMap(({ questions }) => questions.flatMap(({ options }) => options));
    if (pictures?.some(({ image }) => image === file)) return true;
    if (!kept.own && screen.public.of !== null) return false;
    const of = { type: screen.name, id: kept.of_id, field: answerStep(screen)?.field.name ?? '' };
    const answers = await answersOf(tenant, of);
    return (
      version !== null &&
      answers.some(({ code, value }) => isOfFiles(version, code) && Array.isArray(value) && value.includes(file))
    );
  }

  /** Files that answers no longer refer to. An answer through a link can only refer to files sent for it. */
  async #droppedFiles(
    tenant: Tenant,
    of: Parameters<typeof answersOf>[1],
    version: QuestionnaireVersion,
    sent: readonly SentAnswer[],
  ): Promise<number[]> {
    const named = sent.filter(({ code }) => isOfFiles(version, code));
    if (named.length === 0) return [];
    const before = asAnswers(await answersOf(tenant, of));
    const dropped: number[] = [];
    for (const { code, value } of named) {
      const there = Array.isArray(before[code]?.value) ? (before[code].value as unknown[]) : [];
      const now = Array.isArray(value) ? (value as unknown[]) : [];
      if (now.some((one) => !there.includes(one)))
        throw invalid([{ field: code, message: 'This file does not exist. Send it again.' }]);
      dropped.push(...there.filter((one) => !now.includes(one)).map(Number));
    }
    return dropped;
  }
}

/** The incoming file, up to the maximum size. */
async function* limited(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > FILE_BYTES) throw new AppError(413, 'too_large', `At most ${FILE_BYTES / 1024 / 1024} MB.`);
    yield chunk;
  }
}
