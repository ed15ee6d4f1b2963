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

/** The engine calls that return records or accept their values. */
export interface SightCalls {
  read(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  create(session: Session, screen: Screen, input: Row, what?: string): Promise<WireRecord>;
  /**
   * Changes a record. `rows`: the answer contains only the child rows that the change wrote, as `{set, add, remove}`.
   */
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
  /** A record with the changes in such rows since this `rows_version`; null = all rows. @throws AppError 404 */
  rowsSince(session: Session, screen: Screen, id: number, name: string, since: number | null): Promise<WireRecord>;
  /**
   * Takes a record through a transition of its workflow, with its effects, in one transaction. `input`: the version,
   * the fields it asks for, `reason`. `preview`: nothing is stored; `cause`: for the history; `moved`: taken by an
   * effect of another record, regardless of rights. @throws AppError 403, 404, 409, 422
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
  /** The values that functions of modules fill in for unsaved values; `id` null = a new record. @throws AppError 404 */
  fill(session: Session, screen: Screen, id: number | null, values: Row): Promise<Row>;
  /** All errors that saving a new or stored record with these values would cause. */
  check(session: Session, screen: Screen, id: number | null, values: Row): Promise<FieldError[]>;
  /** Runs an action: with a form it computes and stores nothing. @throws AppError 404, 409, 422 */
  act(session: Session, screen: Screen, input: ActionInput): Promise<ActionAnswer>;
  /** The transitions that the person may take with the stored record. */
  steps(session: Session, screen: Screen, stored: WireRecord): Promise<OfferedStep[]>;
  openFields(session: Session, screen: Screen, stored: WireRecord): Promise<Set<string> | null>;
  /** The records that the person may create from the stored record. */
  makes(session: Session, screen: Screen, stored: WireRecord): Promise<OfferedStep[]>;
  /** The initial values of a new record created from another one. @throws AppError 403, 404, 409 */
  begin(session: Session, target: Screen, from: MadeFrom): Promise<Row>;
  /** The initial values of a new record that depend on the person, time and place (`x-default`). */
  beginsWith(session: Session, screen: Screen): Promise<Row>;
  /** Creates the missing records of a make with `each`. `preview`: nothing is stored, and no number is taken. */
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
 * The public API of the engine: fields hidden from people (`x-visible`) are in no answer, and are accepted from nobody.
 * Internally the engine, rules and functions of modules work with whole records. Lists leave hidden fields out in their
 * statements (`visibleTable`).
 */
export function inSight<E extends SightCalls>(
  engine: E,
  screensOf: (session: Session) => ReadonlyMap<string, Screen>,
): E {
  const isPlain = (session: Session, screen: Screen) => !touchesSight(screen, screensOf(session));
  const seen = <T extends Row>(session: Session, screen: Screen, record: T) =>
    seenRecord(session, screen, screensOf(session), record);
  /** The current record and the version the person started from, which a refusal of an old version contains. */
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
        // The condition is evaluated on the stored record.
        base: await but(session, screen, base, await hiddenOf(session, screen, theirs.id)),
      },
    });
  };
  const hiddenOf = async (session: Session, screen: Screen, id: number | null, values?: Row) =>
    (await hiddenFields(session, screen, screensOf(session), [{ id, ...(values && { values }) }]))[0]!;
  const but = <T extends Row>(session: Session, screen: Screen, row: T, hidden: ReadonlySet<string>) =>
    seenBut(session, screen, screensOf(session), row, hidden);
  /** Initial values of a new record: it is in its first state, whatever they contain. */
  const newInSight = async <T extends Row>(session: Session, screen: Screen, begun: T): Promise<T> => {
    if (isPlain(session, screen)) return begun;
    return but(session, screen, begun, await hiddenOf(session, screen, null, { ...untouched(screen), ...begun }));
  };
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
    openFields: async (session, screen, stored) =>
      engine.openFields(session, screen, screen.workflow ? await whole(session, screen, stored) : stored),
    makes: async (session, screen, stored) =>
      engine.makes(session, screen, screen.makes ? await whole(session, screen, stored) : stored),
    async begin(session, target, from) {
      return newInSight(session, target, await engine.begin(session, target, from));
    },
    async beginsWith(session, screen) {
      return newInSight(session, screen, await engine.beginsWith(session, screen));
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
