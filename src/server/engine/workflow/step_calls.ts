import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { openedFields, revisionScreen } from '../../../descriptor/opened_fields.ts';
import { messageInWords } from '../../../descriptor/validate.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { asksOf } from '../../../descriptor/words/approval.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { runningClocks } from '../clocks/record_clocks.ts';
import { runEffects } from '../effects/run_effects.ts';
import type { LinkDeps } from '../makes/links.ts';
import { settle } from '../makes/links.ts';
import { numberAt } from '../numbers/number_at.ts';
import { publishVersion } from '../questionnaire/versions.ts';
import { actedFor } from '../records/acted_for.ts';
import type { Announcements } from '../records/announce.ts';
import { elevated } from '../records/elevated.ts';
import type { EngineContext } from '../records/engine_context.ts';
import type { EngineServices } from '../records/engine_deps.ts';
import { lockRecords } from '../records/locks.ts';
import type { Above } from '../records/part_doors.ts';
import { changeByParts, parentsOf } from '../records/part_doors.ts';
import { readRecord } from '../records/read.ts';
import type { Decision } from '../records/record_change.ts';
import type { SightCalls } from '../records/sight_engine.ts';
import type { UnitLimits } from '../records/unit.ts';
import { inUnit, unitOf } from '../records/unit_of_work.ts';
import { createRecord, updateRecord } from '../records/write.ts';
import type { OfferedReason } from './reasons.ts';
import { reasonsFor } from './reasons.ts';
import { isRelated } from './relations.ts';
import { settleRefusedOf } from '../offline/settle_refused.ts';
import { clearRefusals, noteRefusal, refusalWords } from './refused_steps.ts';
import { guardFindings, offeredSteps, takeTransition } from './transition.ts';
import { holds, valueIn } from './values.ts';

type Row = Record<string, unknown>;

/** The maximum number of conditional transitions after one change. */
const MAX_AUTO_STEPS = 5;

/** Whether a type has automatic transitions with a condition. */
export const hasAutoWhen = ({ workflow }: Screen): boolean =>
  workflow?.transitions.some(({ auto }) => auto?.some(({ when }) => when !== undefined)) === true;

/** Whether a condition can be true in a state; assumed if it depends on anything else. */
function mayHold(condition: string, field: string, state: string): boolean {
  const { names, evaluate } = compileExpression(condition);
  return names.length !== 1 || names[0] !== field || evaluate({ [field]: state }) === true;
}

/** Whether a conditional transition may be due from the state of a record; assumed if its state is unknown. */
export function mayGoOn({ workflow }: Screen, record: WireRecord): boolean {
  const { field, transitions } = workflow!;
  const state = record[field];
  if (typeof state !== 'string') return true;
  return transitions.some(
    ({ from, auto }) =>
      from.includes(state) && auto?.some(({ when }) => when !== undefined && mayHold(when, field, state)) === true,
  );
}

/** The transitions of records: those taken by people, automatic ones, and the consequences of any change. */
export interface StepCalls extends Pick<SightCalls, 'transition' | 'steps'> {
  /**
   * Takes an automatic transition, if it starts from the record's state. `input`: the fields it asks for.
   * @returns whether it did @throws AppError if the record refuses it
   */
  takeAuto(session: Session, screen: Screen, id: number, name: string, cause?: string, input?: Row): Promise<boolean>;
  /** The reasons to choose from for a transition. */
  reasons(session: Session, screen: Screen, name: string): Promise<OfferedReason[]>;
}

/** The workflow part of a write, in its transaction. */
export interface WriteSteps {
  /**
   * The guards and effects for an added record: the guards are checked against the stored record, then the effects run.
   */
  begun(session: Session, screen: Screen, record: WireRecord, input: Row): Promise<WireRecord>;
  /**
   * Keeps a refused change of a person who came second, in a transaction of its own. @returns the error for them: the
   * refusal itself if the type keeps no such change
   */
  tooLate(actor: Session, screen: Screen, id: number, input: Row, refusal: AppError): Promise<AppError>;
  /** The consequences of a record from its type's words: its sources, and conditional transitions. */
  follow(
    session: Session,
    screen: Screen,
    id: number,
    after: WireRecord | null,
    how?: { linked?: boolean; isNew?: boolean },
  ): Promise<void>;
}

export function stepCalls(
  services: EngineServices,
  { happened, publish, announce }: Announcements,
  { context, clockDeps, fillsOf, wholeRecord, withClocks, unit: unitFor }: EngineContext,
  update: LinkDeps['update'],
): { calls: StepCalls; ofWrites: WriteSteps } {
  const { screens, hooks, functions, now, events, notifications, ownWork, holdsRole, approvals } = services;
  const stepDeps = (session: Session, screen: Screen, id: number, cause = 'action') => {
    if (!screen.workflow) throw notFound();
    return {
      session,
      screen: { ...screen, workflow: screen.workflow },
      screens: screens(session),
      context: context(session, screen, cause),
      delegators: (decides: boolean) => actedFor(session, screen, screens(session), id, decides),
      ownWork: () => ownWork(session),
      holdsRole,
      approvals: screen.approval && approvals,
    };
  };

  /** Adds the next revision of a record, with its number. */
  async function addRevision(session: Session, screen: Screen, values: Row): Promise<WireRecord> {
    const record = await createRecord(context(session, revisionScreen(screen, Object.keys(values)), 'action'), values);
    announce(session, screen, { id: record.id, op: 'I' });
    happened(session, screen, 'created', record.id);
    await hooks.saved(session, screen, record);
    publish(session, screen, record.id, 'I');
    return record;
  }

  async function begun(session: Session, screen: Screen, record: WireRecord, input: Row): Promise<WireRecord> {
    const { insert } = screen.workflow ?? {};
    const unit = unitOf(session);
    if (!insert || !unit) return record;
    const deps = {
      ...stepDeps(session, screen, record.id),
      functions,
      unit: (limits?: UnitLimits) => unitFor(unit, limits),
    };
    const around = { session, screen, screens: screens(session), record };
    const found = await guardFindings(deps, insert.guard, around, null, input);
    if (found.length > 0) throw invalid(found);
    const act = { around, before: null, input, transition: 'insert', logId: null };
    await runEffects(deps, insert.effects, act);
    await runEffects(deps, insert.effects, act, true);
    return insert.effects.length > 0 ? readRecord(session, screen, screens(session), record.id) : record;
  }

  async function tooLate(actor: Session, screen: Screen, id: number, input: Row, refusal: AppError): Promise<AppError> {
    const { late, field } = screen.workflow ?? {};
    if (!late || refusal.status !== 409 || unitOf(actor) !== null) return refusal;
    return inUnit(actor, async (unit) => {
      const { session } = unit;
      const known = screens(session);
      await lockRecords(session, [{ type: screen.name, id }]);
      const record = await readRecord(session, screen, known, id);
      if (!late.in.includes(String(record[field!]))) return refusal;
      const related = await Promise.all(late.who.map((one) => isRelated(session, known, screen, record, one, session)));
      if (!related.includes(true)) return refusal;
      const deps = {
        ...stepDeps(session, screen, id),
        functions,
        unit: (limits?: UnitLimits) => unitFor(unit, limits),
      };
      const around = { session, screen, screens: known, record };
      await runEffects(deps, late.effects, { around, before: record, input, transition: 'late', logId: null });
      return new AppError(409, 'bad_state', messageInWords(late.says, { fields: screen.fields, record }));
    }).catch((error: unknown) => {
      if (error instanceof AppError && error.status < 500) return refusal;
      throw error;
    });
  }

  /** Writes the values that a transition sets, together with the state, as one change of the record. */
  async function writeStep(
    session: Session,
    screen: Screen,
    id: number,
    values: Row,
    opened: string[],
    { forWhom, decision, cause }: { forWhom: ActsFor | null; decision: Decision | null; cause: string },
  ): Promise<WireRecord> {
    const open = openedFields(screen, opened);
    const record = await updateRecord(
      {
        ...context(session, open, cause),
        // The transition has already run the fills for its guards.
        fill: undefined,
        step: { decision },
        delegators: () => Promise.resolve(forWhom ? [forWhom] : []),
      },
      id,
      values,
    );
    await hooks.saved(session, open, record);
    publish(session, screen, id, 'U');
    return record;
  }

  const linkDeps: LinkDeps = {
    screens,
    update: (session, screen, id, input) => update(session, screen, id, input),
    takeAuto,
  };

  /** Takes the first of these transitions that starts from the record's state, automatically. */
  async function takeAuto(
    session: Session,
    screen: Screen,
    id: number,
    names: string[],
    cause?: string,
    input: Row = {},
  ): Promise<boolean> {
    const as = elevated(session);
    const record = await readRecord(as, screen, screens(session), id);
    const known = new Map((screen.workflow?.transitions ?? []).map((one) => [one.name, one]));
    for (const name of names) {
      const transition = known.get(name)!;
      if (!transition.from.includes(String(record[screen.workflow!.field]))) continue;
      if (!(await holds({ session, screen, screens: screens(session), record }, transition.when))) continue;
      await step(as, screen, id, name, input, { auto: true, ...(cause !== undefined && { cause }) });
      return true;
    }
    return false;
  }

  /** Flags a refused automatic transition on the record, after the transaction it was part of has ended. */
  function noteLater(session: Session, screen: Screen, id: number, name: string, error: unknown): void {
    if (!(error instanceof AppError) || error.status >= 500) return;
    const transition = screen.workflow?.transitions.find((one) => one.name === name);
    const unit = unitOf(session);
    if (!transition || !unit || unit.preview) return;
    unit.afterEnd(() =>
      noteRefusal(
        { screens, notifications },
        { ...session, tenant: unit.tenant },
        screen.name,
        id,
        transition,
        refusalWords(error),
        now?.() ?? new Date(),
      ),
    );
  }

  async function follow(
    session: Session,
    screen: Screen,
    id: number,
    after: WireRecord | null,
    { linked = true, isNew = false } = {},
  ): Promise<void> {
    if (screen.madeOf && linked) await settle(linkDeps, session, screen, id, after);
    // A record that was just added has no pending requests.
    if (after && screen.approval && !(isNew && after.version === 1)) await approvals?.changed(session, screen, after);
    if (!after || !hasAutoWhen(screen) || !mayGoOn(screen, after)) return;
    for (let depth = 0; ; depth++) {
      const record = await readRecord(elevated(session), screen, screens(session), id);
      const around = { session, screen, screens: screens(session), record };
      let due: string | null = null;
      for (const { name, from, auto = [] } of screen.workflow!.transitions)
        for (const { when } of auto)
          if (
            due === null &&
            when !== undefined &&
            from.includes(String(record[screen.workflow!.field])) &&
            (await valueIn(around, when)) === true
          )
            due = name;
      if (due === null) return;
      if (depth >= MAX_AUTO_STEPS)
        throw new AppError(422, 'auto_loop', `The steps of this ${inSentence(screen.title)} form an endless loop.`);
      await step(elevated(session), screen, id, due, {}, { auto: true });
    }
  }

  /** Requests the approval for a transition; if none is needed, it is granted. */
  async function askApproval(session: Session, screen: Screen, record: WireRecord): Promise<void> {
    const { when, approved, optional } = screen.approval!;
    const isAsked = await holds({ session, screen, screens: screens(session), record }, when);
    const ask = async () => (approvals ? approvals.ask(session, screen, record) : 'none');
    const answer = isAsked ? await ask() : 'agreed';
    if (answer === 'agreed' || (answer === 'none' && optional))
      await step(elevated(session), screen, record.id, approved, {}, { auto: true });
  }

  /** A transition of a part is a change of its parent: computed values, version, and consequences. */
  async function changed(session: Session, { screen, before }: Above, cause: string): Promise<void> {
    const own = context(session, screen, cause);
    const record = await changeByParts(own, before);
    if (!record) return;
    await hooks.saved(session, screen, record);
    await withClocks(session, screen, record);
    await follow(session, screen, record.id, record);
    publish(session, screen, record.id, 'U');
  }

  /** Takes a transition, within the session's unit of work or in a new one. `auto`: automatically. */
  function step(
    actor: Session,
    screen: Screen,
    id: number,
    name: string,
    input: Row,
    {
      preview = false,
      cause = 'action',
      auto,
      moved,
    }: { preview?: boolean; cause?: string; auto?: true; moved?: true } = {},
  ): Promise<WireRecord> {
    return inUnit(
      actor,
      async (unit) => {
        // A session that joins a unit keeps its own rights.
        const session = { ...actor, tenant: unit.session.tenant };
        const parents = screen.part ? await parentsOf(session, screen, screens(session), id) : [];
        const { record, isTaken } = await takeTransition(
          {
            ...stepDeps(session, screen, id, cause),
            ...(auto && { auto }),
            ...(moved && { moved }),
            ...(unit.importedInto !== undefined && { isImport: true as const }),
            functions,
            unit: (limits) => unitFor(unit, limits),
            ...(screen.fills && {
              fill: (record: Row, stored: WireRecord, refill: string[]) =>
                fillsOf(session, screen, record, stored, refill),
            }),
            ...(screen.clocks && {
              running: (record: WireRecord) => runningClocks(clockDeps(session, screen), record),
            }),
            now,
            write: (of, values, opened, by) => writeStep(session, screen, of, values, opened, { ...by, cause }),
            number: (of, { name: taken }) => numberAt(session, screen, screens(session), of, taken),
            revise: (values) => addRevision(session, screen, values),
          },
          id,
          name,
          input,
        );
        // Somebody has approved, and others are asked next: the record keeps waiting, and its page shows for whom.
        if (!isTaken) {
          publish(session, screen, id, 'U');
          return record;
        }
        await clearRefusals(session, screen, [record], name);
        await settleRefusedOf(session, screen, id, name);
        if (events.watches(screen.name)) events.ofRecord(session, screen.name, name, id);
        if (screen.questionnaire?.publish === name)
          await publishVersion(session, screen, await wholeRecord(session, screen, id));
        await withClocks(session, screen, record);
        const asks =
          screen.approval !== undefined &&
          asksOf(screen.approval).includes(name) &&
          // Where there are no processes at all, only an optional approval is given at once.
          (approvals !== undefined || screen.approval.optional === true);
        for (const above of parents) await changed(session, above, cause);
        if (!asks && !screen.madeOf && (auto || !hasAutoWhen(screen))) return record;
        if (asks) await askApproval(session, screen, record);
        // An approval that was given at once has led to another state, with steps of its own.
        const reached =
          asks && hasAutoWhen(screen) ? await readRecord(elevated(session), screen, screens(session), id) : record;
        await follow(session, screen, id, reached);
        const done = await readRecord(session, screen, screens(session), id).catch(() => record);
        const masked = preview ? screen.numberAt?.field : undefined;
        return {
          ...done,
          ...(masked !== undefined && !done[masked] && { [masked]: record[masked] }),
          ...(record._revision !== undefined && { _revision: record._revision }),
        };
      },
      { preview },
    );
  }

  const calls: StepCalls = {
    transition: step,
    takeAuto: (session, screen, id, name, cause, input) =>
      takeAuto(session, screen, id, [name], cause, input).catch((error: unknown) => {
        // Date triggers are handled by their sweep.
        if (cause !== 'date') noteLater(session, screen, id, name, error);
        throw error;
      }),
    steps: (session, screen, stored) =>
      screen.workflow ? offeredSteps(stepDeps(session, screen, stored.id), stored) : Promise.resolve([]),
    reasons(session, screen, name) {
      const transition = screen.workflow?.transitions.find((one) => one.name === name);
      if (transition?.reasonUse === undefined) throw notFound();
      return reasonsFor(session, screens(session), screen, transition);
    },
  };
  return { calls, ofWrites: { begun, follow, tooLate } };
}
