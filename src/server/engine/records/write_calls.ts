import type { WriteContext } from './write_context.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { RowsChange } from '../../../descriptor/rows_change.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { rowsSavedApart } from '../../../descriptor/words/field/x_save.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { sourceOf, sourcesOf, storeLink } from '../makes/links.ts';
import { madeFrom } from '../makes/made_from.ts';
import { settleRefusedOf } from '../offline/settle_refused.ts';
import type { WriteSteps } from '../workflow/step_calls.ts';
import { hasAutoWhen } from '../workflow/step_calls.ts';
import { actedFor } from './acted_for.ts';
import type { Announcements } from './announce.ts';
import { withChangedRows } from './changed_rows.ts';
import type { CompanySettings } from './company_settings.ts';
import { saveCompanySettings } from './company_settings.ts';
import type { EngineContext } from './engine_context.ts';
import type { EngineServices } from './engine_deps.ts';
import { lockRecords } from './locks.ts';
import { readCells } from './merge_cells.ts';
import { ofParent } from './part_doors.ts';
import { hasParts } from './part_rows.ts';
import { readRecord } from './read.ts';
import { noteFigures, readFigures } from './row_trees.ts';
import type { CellsAnswer } from './save_cells.ts';
import { fieldSavedApart, saveCells } from './save_cells.ts';
import { saveSingle } from './single.ts';
import type { SightCalls } from './sight_engine.ts';
import { removeRecord, setActive } from './state.ts';
import { afterCommit, inUnit, unitOf } from './unit_of_work.ts';
import { createRecord, updateRecord } from './write.ts';
import type { PartWriter } from './write_context.ts';

type Row = Record<string, unknown>;

/** Writes of single records, each with its side effects in one transaction. */
export interface WriteCalls extends Pick<SightCalls, 'create' | 'update' | 'saveRows' | 'setActive'> {
  remove(session: Session, screen: Screen, id: number): Promise<void>;
  saveSingle(session: Session, screen: Screen, input: Row): Promise<WireRecord>;
  saveCompanySettings(session: Session, screen: Screen, input: Row): Promise<CompanySettings>;
}

export function writeCalls(
  services: EngineServices,
  { happened, publish, announce }: Announcements,
  { context, withClocks }: EngineContext,
  { begun, follow, tooLate }: WriteSteps,
): { calls: WriteCalls; partsOf(what: string): PartWriter; refuseRow(session: Session, screen: Screen): AppError } {
  const { screens, hooks, events, webhooks, onChange } = services;
  /** Side effects and notices belong to the transaction; without any, a single statement is enough. */
  const isFollowed = (screen: Screen): boolean =>
    hasParts(screen) ||
    hooks.follows?.(screen) === true ||
    events.watches(screen.name) ||
    screen.madeOf !== undefined ||
    screen.approval !== undefined ||
    screen.fills !== undefined ||
    screen.clocks !== undefined ||
    rowsSavedApart(screen.fields).length > 0 ||
    hasAutoWhen(screen);
  /** Whether side effects or fills of a record may read all of its rows. */
  const looksAtRows = (screen: Screen): boolean =>
    hasParts(screen) ||
    hooks.follows?.(screen) === true ||
    hooks.checks?.(screen) === true ||
    screen.madeOf !== undefined ||
    screen.fills !== undefined ||
    screen.approval !== undefined;
  const whole = async <T>(
    session: Session,
    screen: Screen,
    work: (session: Session) => Promise<T>,
    always = false,
  ): Promise<T> =>
    (always || isFollowed(screen) || (await webhooks.has(session.tenant, screen.name))) && unitOf(session) === null
      ? inUnit(session, (unit) => work(unit.session))
      : work(session);

  /** Sources are locked together with the record: a change of it updates them. */
  async function lockSources(session: Session, screen: Screen, id: number): Promise<void> {
    if (screen.madeOf)
      await lockRecords(session, [{ type: screen.name, id }, ...(await sourcesOf(session, screen, id))]);
  }

  /** Adds a record, with its side effects. */
  function add(actor: Session, screen: Screen, input: Row, what: string): Promise<WireRecord> {
    const from = madeFrom(input);
    return whole(
      actor,
      screen,
      async (session) => {
        if (from) await sourceOf(session, screens(session), screen, from);
        const added = await createRecord(context(session, screen, what), input);
        if (from) await storeLink(session, from, screen, added, input);
        const record = await begun(session, screen, added, input);
        announce(session, screen, { id: record.id, op: 'I' });
        happened(session, screen, 'created', record.id);
        await hooks.saved(session, screen, record);
        await withClocks(session, screen, record);
        await follow(session, screen, record.id, record, { linked: from !== null, isNew: true });
        publish(session, screen, record.id, 'I');
        return record;
      },
      from !== null || screen.workflow?.insert !== undefined,
    );
  }

  /** Changes a record, with its side effects. */
  function change(
    actor: Session,
    screen: Screen,
    id: number,
    input: Row,
    what: string,
    rows?: 'changed',
  ): Promise<WireRecord> {
    return whole(actor, screen, async (session) => {
      // Concurrent saves of rows are included, or wait.
      if (hasParts(screen) || rowsSavedApart(screen.fields).length > 0)
        await lockRecords(session, [{ type: screen.name, id }]);
      await lockSources(session, screen, id);
      const noted = changeContext(session, screen, id, what);
      const record = await updateRecord({ ...noted.context, ...(rows && !looksAtRows(screen) && { rows }) }, id, input);
      // Nothing changed, nothing to announce.
      if (record.version !== input.version) {
        await settle(session, screen, record);
      }
      return rows ? withChangedRows(screen, record, noted.written() ?? {}) : record;
    });
  }

  /** The side effects of a changed record, and its notifications. */
  async function settle(session: Session, screen: Screen, record: WireRecord): Promise<void> {
    await hooks.saved(session, screen, record);
    await withClocks(session, screen, record);
    await follow(session, screen, record.id, record);
    publish(session, screen, record.id, 'U');
  }

  /** The context of a change of a record, which records what is written. */
  function changeContext(session: Session, screen: Screen, id: number, what: string) {
    const own = context(session, screen, what);
    let written: Row | null = null;
    const noting: WriteContext = {
      ...own,
      delegators: () => actedFor(session, screen, screens(session), id, false),
      wrote: (of, differs, decision) => {
        written = differs;
        own.wrote?.(of, differs, decision);
      },
    };
    return { context: noting, written: (): Row | null => written };
  }

  /** Saves cells of separately saved rows, with the side effects. */
  function saveRows(actor: Session, screen: Screen, id: number, name: string, sent: Row): Promise<CellsAnswer> {
    const field = fieldSavedApart(screen, name);
    const cells = readCells(field, sent);
    const figures = readFigures(field, sent);
    return inUnit(actor, async (unit) => {
      const session = { ...actor, tenant: unit.session.tenant };
      await lockRecords(session, [{ type: screen.name, id }]);
      await lockSources(session, screen, id);
      const noted = changeContext(session, screen, id, 'form');
      const answer = await saveCells(
        { ...noted.context, ...(!looksAtRows(screen) && { rows: 'changed' }) },
        field,
        id,
        cells,
      );
      const written = noted.written();
      if (written === null) return answer;
      const { record } = answer;
      if (figures.length > 0) {
        const whole = await readRecord(session, screen, screens(session), id);
        const change = { id, rows: whole[name] as Row[], written: written[name] as RowsChange };
        await noteFigures(session, screens(session), screen, field, change, figures);
      }
      await settle(session, screen, record);
      return { ...answer, record: withChangedRows(screen, record, written) };
    });
  }

  /** Removes a record, with its side effects. */
  function takeAway(actor: Session, screen: Screen, id: number, what: string): Promise<void> {
    return whole(actor, screen, async (session) => {
      await lockSources(session, screen, id);
      await removeRecord(context(session, screen, what), id);
      await settleRefusedOf(session, screen, id, null);
      happened(session, screen, 'removed', id);
      await follow(session, screen, id, null);
      announce(session, screen, { id, op: 'D' });
      publish(session, screen, id, 'D');
    });
  }

  /** The error for an action on a part alone. */
  const refuseRow = (session: Session, { title, part }: Screen) =>
    new AppError(
      409,
      'bad_state',
      `A ${inSentence(title)} is a row of its ${inSentence(screens(session).get(part!.of)!.title)}. Change it there.`,
    );
  const parent = ofParent({
    screens,
    update: (session, screen, id, input, what) => calls.update(session, screen, id, input, what),
  });

  const calls: WriteCalls = {
    create: (actor, screen, input, what = 'form') =>
      screen.part ? parent.create(actor, screen, input, what) : add(actor, screen, input, what),
    update: (actor, screen, id, input, what = 'form', rows) =>
      screen.part
        ? parent.update(actor, screen, id, input, what)
        : change(actor, screen, id, input, what, rows).catch(async (error: unknown) => {
            throw what === 'form' && error instanceof AppError ? await tooLate(actor, screen, id, input, error) : error;
          }),
    saveRows,
    setActive: (actor, screen, id, version, active) => {
      if (screen.part) throw refuseRow(actor, screen);
      return whole(actor, screen, async (session) => {
        await lockSources(session, screen, id);
        const record = await setActive(
          {
            ...context(session, screen, 'form'),
            delegators: () => actedFor(session, screen, screens(session), id, false),
          },
          id,
          version,
          active,
        );
        happened(session, screen, 'changed', id, ['active']);
        await follow(session, screen, id, record);
        announce(session, screen, { id, op: active ? 'A' : 'X' });
        publish(session, screen, id, active ? 'A' : 'X');
        return record;
      });
    },
    remove: (actor, screen, id) =>
      screen.part ? parent.remove(actor, screen, id) : takeAway(actor, screen, id, 'form'),
    saveSingle: (actor, screen, input) =>
      whole(actor, screen, async (session) => {
        const record = await saveSingle(context(session, screen, 'form'), input);
        if (record.version === 1) {
          announce(session, screen, { id: record.id, op: 'I' });
          happened(session, screen, 'created', record.id);
        }
        await hooks.saved(session, screen, record);
        publish(session, screen, record.id, 'U');
        return record;
      }),
    saveCompanySettings: (actor, screen, input) =>
      whole(actor, screen, async (session) => {
        const saved = await saveCompanySettings(context(session, screen, 'company'), input);
        afterCommit(session, ({ tenant }) =>
          onChange(tenant, { type: screen.name, id: 0, op: 'U', entityId: saved.entity_id }),
        );
        return saved;
      }),
  };
  return {
    calls,
    // Parts are written like records of any type; their own write calls are disabled, because they go through their
    // parents.
    partsOf: (what) => ({
      create: (session, screen, input) => add(session, screen, input, what),
      update: (session, screen, id, input) => change(session, screen, id, input, what),
      remove: (session, screen, id) => takeAway(session, screen, id, what),
    }),
    refuseRow,
  };
}
