import type { MadeFrom } from '../../../descriptor/makes.ts';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import type { ActionAnswer, ActionInput } from '../actions/run_action.ts';
import type { BulkAnswer } from './record_change.ts';
import type { CellsAnswer } from './save_cells.ts';
import type { WriteKey } from './write_keys.ts';
import {
  hiddenFields,
  seenBut,
  seenChanges,
  seenRecord,
  seenRecords,
  sentInSight,
  touchesSight,
  untouched,
} from './visible.ts';

type Row = Record<string, unknown>;

/** The calls of the engine that answer records, or take values of them. */
export interface SightCalls {
  read(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  create(session: Session, screen: Screen, input: Row, what?: string): Promise<WireRecord>;
  /** Changes a record. `rows`: of its child rows the answer has what the change wrote, as a part `{set, add, remove}`. */
  update(
    session: Session,
    screen: Screen,
    id: number,
    input: Row,
    what?: string,
    rows?: 'changed',
  ): Promise<WireRecord>;
  /** Saves changed cells of rows that are saved apart from their record (`x-save`). @throws AppError 404, 409, 422 */
  saveRows(session: Session, screen: Screen, id: number, name: string, sent: Row): Promise<CellsAnswer>;
  /** A record with what changed in such rows since its `rows_version` was this; null = all rows. @throws AppError 404 */
  rowsSince(session: Session, screen: Screen, id: number, name: string, since: number | null): Promise<WireRecord>;
  /**
   * Takes a record through a transition of its workflow, with its effects, in one unit of work. `input`: the version, what
   * the step asks for, `reason`. `preview`: nothing is kept; `cause`: what made it, for the history; `moved`: an effect
   * of another record takes it, whoever may. @throws AppError 403, 404, 409, 422
   */
  transition(
    session: Session,
    screen: Screen,
    id: number,
    name: string,
    input: Row,
    options?: { preview?: boolean; cause?: string; moved?: true },
  ): Promise<WireRecord>;
  setActive(session: Session, screen: Screen, id: number, version: number | null, active: boolean): Promise<WireRecord>;
  /** What functions of modules fill in for values that are not stored yet; `id` null = a new record. @throws AppError 404 */
  fill(session: Session, screen: Screen, id: number | null, values: Row): Promise<Row>;
  /** What would be wrong with a record, or with a stored one, if it were saved with these values: everything at once. */
  check(session: Session, screen: Screen, id: number | null, values: Row): Promise<FieldError[]>;
  /** Does what an action says: with a form it computes and stores nothing. @throws AppError 404, 409, 422 */
  act(session: Session, screen: Screen, input: ActionInput): Promise<ActionAnswer>;
  /** The steps that the person may take with a record as it is stored. */
  steps(session: Session, screen: Screen, stored: WireRecord): Promise<OfferedStep[]>;
  /** What the person may make of a record as it is stored. */
  makes(session: Session, screen: Screen, stored: WireRecord): Promise<OfferedStep[]>;
  /** The values that a new record begins with when it is made from another. @throws AppError 403, 404, 409 */
  begin(session: Session, target: Screen, from: MadeFrom): Promise<Row>;
  /** What of a new record depends on who adds it, when and where (`x-default`). */
  beginsWith(session: Session, screen: Screen): Promise<Row>;
  /** Makes what is missing of a make with `each`. `preview`: nothing is kept, and no number is taken. */
  makeEach(
    session: Session,
    screen: Screen,
    id: number,
    name: string,
    options?: { preview?: boolean },
  ): Promise<{ made: WireRecord[]; left: number }>;
  copy(session: Session, screen: Screen, id: number): Promise<Row>;
  history(session: Session, screen: Screen, id: number, page: number): Promise<{ data: Row[]; more: boolean }>;
  bulkSet(session: Session, screen: Screen, ids: number[], set: Row, key?: WriteKey | null): Promise<BulkAnswer>;
}

/**
 * The engine as its doors have it: what people do not see of a record (`x-visible`) is in no answer, and is taken from
 * nobody. Within an act the engine, rules and functions of modules look at whole records. Lists leave it out in their
 * statements (`visibleTable`).
 */
export function inSight<E extends SightCalls>(
  engine: E,
  screensOf: (session: Session) => ReadonlyMap<string, Screen>,
): E {
  const isPlain = (session: Session, screen: Screen) => !touchesSight(screen, screensOf(session));
  const seen = <T extends Row>(session: Session, screen: Screen, record: T) =>
    seenRecord(session, screen, screensOf(session), record);
  /** The other's record and the one begun with, which a refusal of an old version brings along. */
  const refusalInSight = async (session: Session, screen: Screen, error: unknown): Promise<never> => {
    if (!(error instanceof AppError)) throw error;
    const { theirs, base } = error.extra as { theirs?: WireRecord; base?: WireRecord };
    if (!theirs || !base) throw error;
    throw new AppError(error.status, error.code, error.message, {
      ...(error.field !== null && { field: error.field }),
      details: error.details,
      extra: {
        ...error.extra,
        theirs: await seen(session, screen, theirs),
        // What is looked at is the record as it is stored now.
        base: await but(session, screen, base, await hiddenOf(session, screen, theirs.id)),
      },
    });
  };
  const hiddenOf = async (session: Session, screen: Screen, id: number | null, values?: Row) =>
    (await hiddenFields(session, screen, screensOf(session), [{ id, ...(values && { values }) }]))[0]!;
  const but = <T extends Row>(session: Session, screen: Screen, row: T, hidden: ReadonlySet<string>) =>
    seenBut(session, screen, screensOf(session), row, hidden);
  const whole = async (session: Session, screen: Screen, stored: WireRecord) =>
    isPlain(session, screen) ? stored : { ...(await engine.read(session, screen, stored.id)) };

  const doors: SightCalls = {
    async read(session, screen, id) {
      return seen(session, screen, await engine.read(session, screen, id));
    },
    async create(session, screen, input, what) {
      if (isPlain(session, screen)) return engine.create(session, screen, input, what);
      const sent = await sentInSight(session, screen, screensOf(session), null, input);
      return seen(session, screen, await engine.create(session, screen, sent, what));
    },
    async update(session, screen, id, input, what, rows) {
      if (isPlain(session, screen)) return engine.update(session, screen, id, input, what, rows);
      const stored = await engine.read(session, screen, id);
      const sent = await sentInSight(session, screen, screensOf(session), stored, input);
      const record = await engine
        .update(session, screen, id, sent, what)
        .catch((error: unknown) => refusalInSight(session, screen, error));
      return seen(session, screen, record);
    },
    async saveRows(session, screen, id, name, sent) {
      const answer = await engine.saveRows(session, screen, id, name, sent);
      return { ...answer, record: await seen(session, screen, answer.record) };
    },
    async rowsSince(session, screen, id, name, since) {
      return seen(session, screen, await engine.rowsSince(session, screen, id, name, since));
    },
    async transition(session, screen, id, name, input, options) {
      const record = await engine
        .transition(session, screen, id, name, input, options)
        .catch((error: unknown) => refusalInSight(session, screen, error));
      return seen(session, screen, record);
    },
    async setActive(session, screen, id, version, active) {
      const record = await engine
        .setActive(session, screen, id, version, active)
        .catch((error: unknown) => refusalInSight(session, screen, error));
      return seen(session, screen, record);
    },
    async fill(session, screen, id, values) {
      const filled = await engine.fill(session, screen, id, values);
      return isPlain(session, screen)
        ? filled
        : but(session, screen, filled, await hiddenOf(session, screen, id, values));
    },
    async check(session, screen, id, values) {
      if (isPlain(session, screen)) return engine.check(session, screen, id, values);
      const stored = id === null ? null : await engine.read(session, screen, id);
      const sent = await sentInSight(session, screen, screensOf(session), stored, values);
      const hidden = await hiddenOf(session, screen, id, sent);
      const found = await engine.check(session, screen, id, sent);
      return found.filter(({ field }) => !hidden.has(field.split('.')[0]!));
    },
    async act(session, screen, input) {
      const answer = await engine.act(session, screen, input);
      if (isPlain(session, screen) || !answer.set) return answer;
      const hidden = await hiddenOf(session, screen, input.id, input.values ?? {});
      return { ...answer, set: await but(session, screen, answer.set, hidden) };
    },
    steps: async (session, screen, stored) =>
      engine.steps(session, screen, screen.workflow ? await whole(session, screen, stored) : stored),
    makes: async (session, screen, stored) =>
      engine.makes(session, screen, screen.makes ? await whole(session, screen, stored) : stored),
    async begin(session, target, from) {
      return seen(session, target, await engine.begin(session, target, from));
    },
    async beginsWith(session, screen) {
      const begun = await engine.beginsWith(session, screen);
      if (isPlain(session, screen)) return begun;
      const values = { ...untouched(screen), ...begun };
      const hidden = await hiddenOf(session, screen, null, values);
      return but(session, screen, begun, hidden);
    },
    async makeEach(session, screen, id, name, options) {
      const { made, left } = await engine.makeEach(session, screen, id, name, options);
      const target = screensOf(session).get(screen.makes?.find((one) => one.name === name)?.to ?? '');
      return { made: target ? await seenRecords(session, target, screensOf(session), made) : [], left };
    },
    async copy(session, screen, id) {
      const copy = await engine.copy(session, screen, id);
      return isPlain(session, screen) ? copy : but(session, screen, copy, await hiddenOf(session, screen, id));
    },
    async history(session, screen, id, page) {
      const { data, more } = await engine.history(session, screen, id, page);
      const lines = data as { id: number; change: unknown; op: unknown }[];
      return { data: (await seenChanges(session, screen, screensOf(session), id, lines)) as Row[], more };
    },
    async bulkSet(session, screen, ids, set, key) {
      if (!isPlain(session, screen))
        for (const id of ids) {
          const stored = await engine.read(session, screen, id).catch(() => null);
          if (stored) await sentInSight(session, screen, screensOf(session), stored, set);
        }
      return engine.bulkSet(session, screen, ids, set, key);
    },
  };
  return { ...engine, ...doors };
}
