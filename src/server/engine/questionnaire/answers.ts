import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { stateField } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Answering } from '../modules.ts';
import type { Engine } from '../records/engine.ts';
import { lockRecords } from '../records/locks.ts';
import type { MayOpenFile } from '../records/named_files.ts';
import { refuseLocked } from '../workflow/locked_fields.ts';
import type { AnswersOf, KeptAnswer, SentAnswer } from './answer_rows.ts';
import { MAX_ANSWERS, answersOf, fixVersion, formed, keepAnswers } from './answer_rows.ts';
import { ANONYMOUS, answersField, attributesOf, templateOf, versionFor } from './answered_version.ts';
import type { Template } from './answered_version.ts';
import type { QuestionnaireVersion } from './versions.ts';

/** The questionnaire of one record. */
export interface AnswerSheet {
  /** Null: nothing is published yet. */
  version: QuestionnaireVersion | null;
  answers: KeptAnswer[];
  /** Whether this person may answer now; otherwise the reason. */
  editable: boolean;
  locked: string | null;
  /** Facts used by conditions and texts. */
  attributes: Record<string, unknown>;
  /** Shown before and after the questions. */
  texts: Template['texts'];
}

export interface SavedAnswers {
  /** The version that the record answers. */
  version: number;
  /** The rejected answers, with the reasons. */
  refused: FieldError[];
  /** All sent answers as stored now: another device may have sent a later one. */
  answers: KeptAnswer[];
}

export interface AnswersDeps {
  engine: Pick<Engine, 'read' | 'transaction'>;
  /** The answer handlers of types, by name. */
  answering: ReadonlyMap<string, Answering>;
  screens(session: Session): ReadonlyMap<string, Screen>;
  mayOpenFile: MayOpenFile;
}

/**
 * Saves answers to a version of a questionnaire, whoever gives them; permission is checked before. `state`: the state
 * that the record must still be in. `late`: it was submitted, and these are stored separately.
 * @throws AppError 409 if the record has left its state, or answers another version
 */
export async function saveAnswers(
  tenant: Tenant,
  of: AnswersOf,
  version: QuestionnaireVersion,
  sent: readonly SentAnswer[],
  more: { by: number | null; state?: { field: string; value: unknown } | undefined; late?: boolean; isFixed?: boolean },
): Promise<FieldError[]> {
  const { answers, refused } = formed(version, sent);
  if (more.isFixed !== true) {
    const holding = await fixVersion(tenant, of, version.id);
    if (holding !== version.id) throw moved();
  }
  if (answers.length > 0 && !(await keepAnswers(tenant, of, answers, { ...more, version: version.id }))) throw moved();
  return refused;
}

const moved = () =>
  new AppError(409, 'bad_state', 'This was submitted, or its questions changed, in the meantime. Load it again.');

/** Questionnaires for signed-in people. */
export class AnswerSheets {
  readonly #deps: AnswersDeps;

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  /** The questionnaire of a record, with its answers. @throws AppError 404 */
  async read(session: Session, screen: Screen, id: number, name: string): Promise<AnswerSheet> {
    const field = answersField(screen, name);
    const record = await this.#deps.engine.read(session, screen, id);
    const version = await versionFor(session.tenant, screen, field, record);
    const screens = this.#deps.screens(session);
    const reference = screen.fields.find((one) => one.name === field.answersOf);
    const template = screens.get(reference?.ref?.type ?? '');
    const [answers, locked, found] = await Promise.all([
      answersOf(session.tenant, { type: screen.name, id, field: name }),
      this.#lockedBy(session, screen, field, record),
      template ? templateOf(session.tenant, template, Number(record[field.answersOf!])) : null,
    ]);
    const texts = found?.texts ?? { intro: null, thanks: null };
    const why = version?.content.anonymous ? ANONYMOUS : locked;
    return { version, answers, editable: why === null, locked: why, attributes: attributesOf(screen, record), texts };
  }

  /** Saves answers, each separately; the handlers run in the same transaction. @throws AppError 403, 404, 409, 422 */
  async save(session: Session, screen: Screen, id: number, name: string, sent: SentAnswer[]): Promise<SavedAnswers> {
    if (sent.length > MAX_ANSWERS)
      throw new AppError(400, 'bad_request', `At most ${MAX_ANSWERS} answers at once.`, { field: 'answers' });
    const follows = this.#deps.answering.get(screen.name);
    if (!follows) return this.#keep(session, screen, id, name, sent);
    return this.#deps.engine.transaction(session, async (unit) => {
      await lockRecords(unit.session, [{ type: screen.name, id }]);
      const saved = await this.#keep(unit.session, screen, id, name, sent);
      await follows.kept(unit.session, screen, await this.#deps.engine.read(unit.session, screen, id));
      return saved;
    });
  }

  async #keep(session: Session, screen: Screen, id: number, name: string, sent: SentAnswer[]): Promise<SavedAnswers> {
    const field = answersField(screen, name);
    const record = await this.#deps.engine.read(session, screen, id);
    const locked = await this.#lockedBy(session, screen, field, record);
    if (locked !== null) throw new AppError(409, 'bad_state', locked, { field: name });
    const version = await versionFor(session.tenant, screen, field, record);
    if (!version) throw invalid([{ field: name, message: 'This questionnaire is not published yet.' }]);
    if (version.content.anonymous) throw new AppError(409, 'bad_state', ANONYMOUS, { field: name });
    const foreign = await this.#foreignFiles(session, formed(version, sent).files);
    if (foreign) throw invalid([{ field: name, message: 'This file does not exist, or you may not open it.' }]);
    const of: AnswersOf = { type: screen.name, id, field: name };
    const state = stateField(screen);
    const refused = await saveAnswers(session.tenant, of, version, sent, {
      by: session.userId === 0 ? null : session.userId,
      isFixed: record[name] === version.id,
      ...(state && { state: { field: state.name, value: record[state.name] } }),
    });
    const codes = new Set(sent.map(({ code }) => code));
    const answers = (await answersOf(session.tenant, of)).filter(({ code }) => codes.has(code));
    return { version: version.id, refused, answers };
  }

  /** Why a record in its state accepts no answers from a person; null = it does. */
  async #lockedBy(session: Session, screen: Screen, field: Field, record: WireRecord): Promise<string | null> {
    if (session.rights.refuse(screen, 'edit_screen') !== null || session.rights.refuseAction(screen.access.action))
      return 'You may read these answers but not change them.';
    if (!record.active) return `This record is inactive.`;
    try {
      await refuseLocked(session, this.#deps.screens(session), screen, record, { [field.name]: [null, 0] });
    } catch (error) {
      if (error instanceof AppError && error.status === 409) return error.message;
      throw error;
    }
    return (await this.#deps.answering.get(screen.name)?.closed?.(session, record)) ?? null;
  }

  async #foreignFiles(session: Session, files: readonly number[]): Promise<boolean> {
    for (const file of files) if (!(await this.#deps.mayOpenFile(session, file))) return true;
    return false;
  }
}
