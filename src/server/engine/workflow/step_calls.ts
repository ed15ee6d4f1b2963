import { inSentence } from '../../../descriptor/in_sentence.ts';
import { openedFields, revisionScreen } from '../../../descriptor/opened_fields.ts';
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
import { clearRefusals, noteRefusal, refusalWords } from './refused_steps.ts';
import { guardFindings, offeredSteps, takeTransition } from './transition.ts';
import { holds, valueIn } from './values.ts';

type Row = Record<string, unknown>;

/** Steps that may follow from one change by conditions. */
const MAX_AUTO_STEPS = 5;

/** Whether a condition takes steps of a type by itself. */
export const hasAutoWhen = ({ workflow }: Screen): boolean =>
  workflow?.transitions.some(({ auto }) => auto?.some(({ when }) => when !== undefined)) === true;

/** Whether a condition may take a step from the state that a record is in; where its state is not seen, it may. */
function mayGoOn({ workflow }: Screen, record: WireRecord): boolean {
  const state = record[workflow!.field];
  return (
    typeof state !== 'string' ||
    workflow!.transitions.some(
      ({ from, auto }) => from.includes(state) && auto?.some(({ when }) => when !== undefined) === true,
    )
  );
}

/** The steps of records: those that people take, those that follow by themselves, and what follows from any change. */
export interface StepCalls extends Pick<SightCalls, 'transition' | 'steps'> {
  /**
   * Takes a transition in place of a person, if the record is in a state that it leads from. `input`: what it asks for.
   * @returns whether it did @throws AppError where something in the record refuses it
   */
  takeAuto(session: Session, screen: Screen, id: number, name: string, cause?: string, input?: Row): Promise<boolean>;
  /** The reasons that a transition asks to choose from. */
  reasons(session: Session, screen: Screen, name: string): Promise<OfferedReason[]>;
}

/** What a write does with the words of its type, in its own unit of work. */
export interface WriteSteps {
  /** What the workflow says of a record that is added: its guards look at it as it is stored, then its effects run. */
  begun(session: Session, screen: Screen, record: WireRecord, input: Row): Promise<WireRecord>;
  /** What follows from a record by the words of its type: its sources, and the steps that a condition takes. */
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

  /** Adds the next revision of a record, with the number that it has. */
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

  /** Writes what a transition sets, with the state, as one change of the record. */
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
        // The transition has filled in already what its guards looked at.
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

  /** Takes the first of these steps that follows from where the record is, in place of a person. */
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

  /** Has a refusal of a step that no person takes shown at the record, when the act that it was part of has ended. */
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
    // Nothing waits for a record that has just been added.
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
        throw new AppError(
          422,
          'auto_loop',
          `The steps of this ${inSentence(screen.title)} follow each other without end.`,
        );
      await step(elevated(session), screen, id, due, {}, { auto: true });
    }
  }

  /** Asks for the approval that a step leads to; where nobody needs to give it, it is given. */
  async function askApproval(session: Session, screen: Screen, record: WireRecord): Promise<void> {
    const { when, approved } = screen.approval!;
    const isAsked = await holds({ session, screen, screens: screens(session), record }, when);
    const answer = isAsked ? await approvals!.ask(session, screen, record) : 'agreed';
    if (answer === 'agreed') await step(elevated(session), screen, record.id, approved, {}, { auto: true });
  }

  /** A step of a part is a change of its parent: what that computes, its version, and what follows from it. */
  async function changed(session: Session, { screen, before }: Above, cause: string): Promise<void> {
    const own = context(session, screen, cause);
    const record = await changeByParts(own, before);
    if (!record) return;
    await hooks.saved(session, screen, record);
    await withClocks(session, screen, record);
    await follow(session, screen, record.id, record);
    publish(session, screen, record.id, 'U');
  }

  /** Takes a transition, within the unit of work that the session is in or in one of its own. `auto`: in place of a person. */
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
        // Who joins a unit keeps the rights that it joins with.
        const session = { ...actor, tenant: unit.session.tenant };
        const parents = screen.part ? await parentsOf(session, screen, screens(session), id) : [];
        const { record, isTaken } = await takeTransition(
          {
            ...stepDeps(session, screen, id, cause),
            ...(auto && { auto }),
            ...(moved && { moved }),
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
        // Somebody has agreed, and others are asked: the record waits on, and its page shows who.
        if (!isTaken) {
          publish(session, screen, id, 'U');
          return record;
        }
        await clearRefusals(session, screen, record, name);
        if (events.watches(screen.name)) events.ofRecord(session, screen.name, name, id);
        if (screen.questionnaire?.publish === name)
          await publishVersion(session, screen, await wholeRecord(session, screen, id));
        await withClocks(session, screen, record);
        const asks = screen.approval !== undefined && asksOf(screen.approval).includes(name) && approvals !== undefined;
        for (const above of parents) await changed(session, above, cause);
        if (!asks && !screen.madeOf && (auto || !hasAutoWhen(screen))) return record;
        if (asks) await askApproval(session, screen, record);
        await follow(session, screen, id, record);
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
        // What is due by a date is noted by its sweep.
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
  return { calls, ofWrites: { begun, follow } };
}
