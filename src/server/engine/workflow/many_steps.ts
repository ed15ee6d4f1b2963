import { openedFields } from '../../../descriptor/opened_fields.ts';
import { fromPlain } from '../../../descriptor/expression/value.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import { filledNames } from '../../../descriptor/fills.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { recompute } from '../../../descriptor/validate.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { BACK, isDecision, stateOf } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { areForMany, runEffectsOfMany } from '../effects/run_effects.ts';
import type { Announcements } from '../records/announce.ts';
import type { ManyChange } from '../records/change_many.ts';
import { canChangeMany, changeMany } from '../records/change_many.ts';
import { elevated } from '../records/elevated.ts';
import type { EngineContext } from '../records/engine_context.ts';
import type { EngineServices } from '../records/engine_deps.ts';
import { lockRecords } from '../records/locks.ts';
import { readRecords } from '../records/read.ts';
import type { UnitLimits } from '../records/unit.ts';
import { inUnit, unitOf } from '../records/unit_of_work.ts';
import { clearRefusals } from './refused_steps.ts';
import type { StepCalls, WriteSteps } from './step_calls.ts';
import { hasAutoWhen, mayGoOn } from './step_calls.ts';
import { answersOf, guardFindings, valueToSet } from './transition.ts';
import { logTransitions } from './transition_log.ts';
import { holds } from './values.ts';

type Row = Record<string, unknown>;

/** Changes and automatic transitions of many records of a type, by functions of modules. */
export interface ManyStepCalls {
  /**
   * Takes an automatic transition of many records that it starts from, each with its guards, effects, history and events.
   * Types and transitions whose consequences are looked up record by record are taken one by one.
   * @returns how many took it @throws AppError if one of them refuses it
   */
  takeAutoMany(actor: Session, screen: Screen, ids: readonly number[], name: string, input?: Row): Promise<number>;
  /** Changes many records, whatever their version. @throws AppError 404, 422 */
  changeMany(actor: Session, screen: Screen, changes: readonly { id: number; set: Row }[]): Promise<void>;
}

const CAUSE = 'action';

export function manyStepCalls(
  { screens, functions, now, events }: EngineServices,
  { publish }: Announcements,
  { context, fillsOf, unit: unitFor }: EngineContext,
  {
    calls,
    ofWrites,
    update,
  }: {
    calls: Pick<StepCalls, 'takeAuto'>;
    ofWrites: Pick<WriteSteps, 'follow'>;
    update(session: Session, screen: Screen, id: number, input: Row): Promise<WireRecord>;
  },
): ManyStepCalls {
  /** Whether a transition can be taken by many records at once. */
  function isForMany(session: Session, screen: Screen, transition: Transition): boolean {
    const { amend, undo, locks, effects, to, name } = transition;
    const target = screen.workflow!.states.find((one) => one.name === to);
    const unit = unitOf(session)!;
    const deps = { functions, unit: (limits?: UnitLimits) => unitFor(unit, limits) };
    return (
      canChangeMany(context(session, screen, CAUSE)) &&
      unit.at === undefined &&
      !amend &&
      !undo &&
      !locks &&
      to !== BACK &&
      target?.is !== 'cancelled' &&
      !isDecision(transition) &&
      !screen.numberAt?.on.includes(name) &&
      screen.questionnaire?.publish !== name &&
      areForMany(deps, effects)
    );
  }

  async function takeTogether(
    session: Session,
    screen: Screen,
    ids: readonly number[],
    transition: Transition,
    input: Row,
  ): Promise<number> {
    const { workflow } = screen;
    const known = screens(session);
    const unit = unitOf(session)!;
    const deps = {
      session,
      screen: { ...screen, workflow: workflow! },
      screens: known,
      functions,
      unit: (limits?: UnitLimits) => unitFor(unit, limits),
    };
    const { answers, remark, reasonId } = await answersOf(deps, transition, input, null);
    const more: Record<string, Value> = { reason: remark, ...(fromPlain(answers) as object) };
    const taken: { id: number; from: string; to: string; change: ManyChange; before: WireRecord }[] = [];
    const names = new Set<string>();
    for (const stored of await readRecords(session, screen, known, [...ids])) {
      const around = { session, screen, screens: known, record: stored };
      const from = stateOf(workflow!, stored).name;
      if (!transition.from.includes(from) || !(await holds(around, transition.when))) continue;
      if (!stored.active) throw new AppError(409, 'bad_state', 'This is inactive. Activate it first.');
      const to = transition.to ?? from;
      const set: Row = {};
      const withAnswers = { ...around, record: recompute(screen, { ...stored, ...answers }), more };
      for (const [field, text] of Object.entries(transition.set))
        set[field] = await valueToSet(deps, withAnswers, field, text);
      const asSet = recompute(screen, { ...stored, ...answers, ...set, [workflow!.field]: to });
      const next = screen.fills ? await fillsOf(session, screen, asSet, stored, transition.refill ?? []) : asSet;
      for (const path of filledNames(screen)) {
        const name = path.split('.')[0]!;
        if (next[name] === asSet[name]) continue;
        set[name] = next[name];
        names.add(path);
      }
      const findings = await guardFindings(deps, transition.guard, { ...around, record: next, more }, stored, input);
      if (findings.length > 0) throw invalid(findings);
      const values = { ...answers, ...set, ...(to !== from && { [workflow!.field]: to }) };
      for (const name of Object.keys(values)) names.add(name);
      taken.push({ id: stored.id, from, to, before: stored, change: { stored, input: values } });
    }
    if (taken.length === 0) return 0;
    const open = openedFields(screen, [...names].toSorted());
    await changeMany(
      // The fills have run for the guards.
      { ...context(session, open, CAUSE), fill: undefined, step: { decision: null } },
      taken.map(({ change }) => change),
    );
    await logTransitions(session, taken, {
      type: screen.name,
      transition: transition.name,
      cause: CAUSE,
      asked: answers,
      remark,
      at: now?.(),
      reasonId,
    });
    const written = await readRecords(
      session,
      screen,
      known,
      taken.map(({ id }) => id),
    );
    const before = new Map(taken.map((one) => [one.id, one.before]));
    await runEffectsOfMany(
      deps,
      transition.effects,
      written.map((record) => ({
        around: { session, screen, screens: known, record, more },
        before: before.get(record.id) ?? null,
        input,
        transition: transition.name,
        logId: null,
      })),
    );
    await clearRefusals(session, screen, written, transition.name);
    for (const { id } of taken) {
      if (events.watches(screen.name)) events.ofRecord(session, screen.name, transition.name, id);
      publish(session, screen, id, 'U');
    }
    return taken.length;
  }

  async function oneByOne(
    session: Session,
    screen: Screen,
    ids: readonly number[],
    name: string,
    input: Row,
  ): Promise<number> {
    let count = 0;
    for (const id of ids) if (await calls.takeAuto(session, screen, id, name, CAUSE, input)) count++;
    return count;
  }

  return {
    takeAutoMany: (actor, screen, ids, name, input = {}) =>
      inUnit(actor, async (unit) => {
        const session = elevated({ ...actor, tenant: unit.session.tenant });
        const transition = screen.workflow?.transitions.find((one) => one.name === name);
        if (transition?.auto === undefined) throw notFound();
        if (ids.length < 2 || !isForMany(session, screen, transition))
          return oneByOne(session, screen, ids, name, input);
        // Before the savepoint, whose end would release the locks.
        await lockRecords(
          session,
          ids.map((id) => ({ type: screen.name, id })),
        );
        try {
          return await session.tenant.db.transaction(() => takeTogether(session, screen, ids, transition, input));
        } catch (error) {
          if (!(error instanceof AppError) || error.status >= 500) throw error;
          // One of them refuses it: it is flagged, and named by its own refusal.
          return oneByOne(session, screen, ids, name, input);
        }
      }),

    changeMany: (actor, screen, changes) =>
      inUnit(actor, async (unit) => {
        const session = { ...actor, tenant: unit.session.tenant };
        const own = context(session, screen, CAUSE);
        await lockRecords(
          session,
          changes.map(({ id }) => ({ type: screen.name, id })),
        );
        const stored = new Map(
          (
            await readRecords(
              session,
              screen,
              screens(session),
              changes.map(({ id }) => id),
              { bareRows: true },
            )
          ).map((record) => [record.id, record]),
        );
        const all = changes.map(({ id, set }) => {
          const record = stored.get(id);
          if (!record) throw notFound();
          return { stored: record, input: set };
        });
        if (!canChangeMany(own)) {
          for (const { stored: record, input } of all)
            await update(session, screen, record.id, { ...input, version: record.version });
          return;
        }
        const changed = new Set(await changeMany(own, all));
        for (const id of changed) publish(session, screen, id, 'U');
        if (!hasAutoWhen(screen)) return;
        // A change leaves the state as it is: most are in one without conditional steps.
        const going = [...stored.values()].filter((record) => changed.has(record.id) && mayGoOn(screen, record));
        if (going.length === 0) return;
        const now = going.map(({ id }) => id);
        for (const record of await readRecords(session, screen, screens(session), now))
          await ofWrites.follow(session, screen, record.id, record);
      }),
  };
}
