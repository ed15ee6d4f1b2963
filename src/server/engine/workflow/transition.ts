import { ROWS_VERSION } from '../../../descriptor/words/field/x_save.ts';
import { filledNames } from '../../../descriptor/fills.ts';
import { fromPlain } from '../../../descriptor/expression/value.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { GuardUse, OfferedStep, State, Transition, Workflow } from '../../../descriptor/workflow.ts';
import {
  BACK,
  IS_CURRENT,
  amending,
  importOf,
  isDecision,
  isProductsOwn,
  stateOf,
  transitionsFrom,
} from '../../../descriptor/workflow.ts';
import { messageInWords, recompute } from '../../../descriptor/validate.ts';
import type { ActsFor, Refusal, Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { staleVersion } from '../records/history.ts';
import type { Decision } from '../records/record_change.ts';
import type { WriteContext } from '../records/write_context.ts';
import { readRecord } from '../records/read.ts';
import type { Approvals, OpenRequest, Verdict } from '../approval/approvals.ts';
import { askedNow, changeableFields, mayTakeBack, needsRemark, notAsked, verdictOf } from '../approval/approvals.ts';
import type { Act, EffectDeps } from '../effects/run_effects.ts';
import { argumentsOf, locksOf, runEffects, undoEffects } from '../effects/run_effects.ts';
import type { Ref } from '../events/ref.ts';
import { refuseCancelling, sourcesOf } from '../makes/links.ts';
import { lockRecords } from '../records/locks.ts';
import { refuseSecondRevision, replacedBy, replacedValues, revisionOf } from './amend.ts';
import { plainValue } from './plain_value.ts';
import { reasonsFor } from './reasons.ts';
import { doneOnDevice, lastTaken, logTransition } from './transition_log.ts';
import { holds, valueIn } from './values.ts';
import type { Surroundings } from './values.ts';
import { requestersOf } from './waiting.ts';
import { deputyWithin, mayTake } from './who.ts';
import type { WhoDeps } from './who.ts';

type Row = Record<string, unknown>;

export interface TransitionDeps extends WhoDeps, EffectDeps {
  session: Session;
  screen: Screen & { workflow: Workflow };
  context: WriteContext;
  /** Writes the record with read-only fields writable, as one transition of the type. */
  write(
    id: number,
    input: Row,
    opened: string[],
    by: { forWhom: ActsFor | null; decision: Decision | null },
  ): Promise<WireRecord>;
  /** Runs the fills of modules, those of `refill` in any case; absent if the type has none. */
  fill?: (record: Row, stored: WireRecord, refill: string[]) => Promise<Row>;
  /** The clocks that run in a state of the record; absent if the type has none. */
  running?: (record: WireRecord) => Promise<string[]>;
  /** The current time; default: from the database. */
  now?: (() => Date) | undefined;
  /** The product takes the transition automatically. */
  auto?: true;
  /** Taken by an effect of another record: no rights are checked. */
  moved?: true;
  /** Taken by an import, with the rights of the person who imports. */
  isImport?: true;
  approvals?: Approvals | undefined;
  /** Adds the next revision of the record. */
  revise(values: Row): Promise<WireRecord>;
  /** Assigns the number that this transition assigns, if the type has one. @returns the record with it */
  number(record: WireRecord, transition: Transition): Promise<WireRecord>;
}

/** The longest reason. */
export const LONGEST_REASON = 500;

/**
 * Takes a record through a transition, within a transaction: checks state, version, condition and person, then sets the
 * answers and the fields of `set`, validates the resulting record, writes it with its history and transition log entry,
 * and runs the effects. @returns the record, and whether the transition was taken: if others have to approve as well,
 * the record keeps waiting
 * @throws AppError 403, 404, 409, 422; then nothing is stored
 */
export async function takeTransition(
  deps: TransitionDeps,
  id: number,
  name: string,
  input: Row,
): Promise<{ record: WireRecord; isTaken: boolean }> {
  const { session, screen, screens } = deps;
  const { workflow } = screen;
  const transition = workflow.transitions.find((one) => one.name === name);
  const verdict = verdictOf(screen, name);
  const mayBeTaken = deps.auto
    ? transition?.auto !== undefined || verdict === 'approved'
    : transition !== undefined &&
      (!isProductsOwn(transition) || (importOf(transition) !== undefined && deps.isImport === true));
  if (!transition || !mayBeTaken) throw notFound();
  let stored = await lockedRecord(deps, id, transition, input);
  const state = stateOf(workflow, stored);
  if (!stored.active) throw new AppError(409, 'bad_state', 'This is inactive. Activate it first.');
  if (!transition.from.includes(state.name)) throw await otherState(deps, stored, state, transition);
  const rowsVersion = stored[ROWS_VERSION] ?? 0;
  if (
    (input.version !== undefined && input.version !== stored.version) ||
    (input[ROWS_VERSION] !== undefined && input[ROWS_VERSION] !== rowsVersion)
  )
    throw await staleVersion(deps.context, stored, Number(input.version ?? stored.version));
  if (!(await holds({ session, screen, screens, record: stored }, transition.when)))
    throw new AppError(
      409,
      'bad_state',
      `"${transition.title}" is not possible for this ${inSentence(screen.title)} as it is.`,
    );
  const takesBack = screen.approval?.withdrawn === name;
  const requests =
    (verdict || takesBack) && !deps.auto
      ? ((await deps.approvals?.open(session, screen, id, { lock: true })) ?? [])
      : [];
  const decides = verdict !== null && requests.length > 0;
  const may =
    deps.auto || deps.moved || decides ? { delegators: [] } : await mayTake(session, screen, stored, transition, deps);
  if ('refused' in may) throw refusedStep(may.refused);
  const notBack = takesBack ? mayTakeBack(session, screen, requests) : null;
  if (notBack) throw notBack;
  const request = decides ? requests.find((one) => askedNow(session, screen, one)) : null;
  const asked = request ? askedNow(session, screen, request) : null;
  if (decides && !asked) throw notAsked(session, screen, stored, requests);

  const decision = request && verdict ? { request, verdict, for: asked!.for } : null;
  const { answers, edits, remark, reasonId } = await answersOf(deps, transition, input, decision);
  if (decision) {
    const said = await decide(deps, stored, edits, remark, decision);
    // Others have to approve as well: the record keeps waiting.
    if (!said.goesOn) return { record: said.record, isTaken: false };
    stored = said.record;
  }
  const around: Surroundings = { session, screen, screens, record: stored };
  const { amend } = transition;
  if (amend) await refuseSecondRevision(session, screen, stored);
  // A record whose revision has not yet replaced it stays as it is.
  const stays = amend?.supersede !== undefined;
  const to = stays
    ? state.name
    : transition.to === BACK
      ? await stateBefore(deps, id, state)
      : (transition.to ?? state.name);
  const more: Record<string, Value> = { reason: remark, ...(fromPlain(answers) as object) };
  const set: Row = {};
  const withAnswers = { ...around, record: recompute(screen, { ...stored, ...answers }), more };
  for (const [field, text] of Object.entries(transition.set))
    set[field] = await valueToSet(deps, withAnswers, field, text);
  const asSet = recompute(screen, { ...stored, ...answers, ...set, [workflow.field]: to });
  const next = (await deps.fill?.(asSet, stored, transition.refill ?? [])) ?? asSet;
  const filled = filledNames(screen).filter((path) => next[path.split('.')[0]!] !== asSet[path.split('.')[0]!]);
  for (const path of filled) set[path.split('.')[0]!] = next[path.split('.')[0]!];
  const deputy = asked ?? deputyWithin(screen, transition, may.delegators, [stored, next]);
  if ('refused' in deputy) throw refusedStep(deputy.refused);
  const findings = await guardFindings(deps, transition.guard, { ...around, record: next, more }, stored, input);
  if (findings.length > 0) throw invalid(findings);

  const copy = amend ? await revisionOf(session, screen, stored, amend) : null;
  const replaces = replacedBy(screen, transition, stored);
  if (replaces !== null) await replaceOriginal(deps, replaces, next);
  const values = {
    ...answers,
    ...set,
    ...(to === state.name ? {} : { [workflow.field]: to }),
    ...(amend && !stays ? await replacedValues(around, amend, copy!) : {}),
    ...(replaces === null ? {} : { [IS_CURRENT]: true }),
  };
  const decided: Decision | null =
    isDecision(transition) && to !== state.name
      ? {
          from: state.name,
          to,
          for: deputy.for?.name ?? null,
          requesters: await requestersOf(session, screens, screen, stored, transition),
        }
      : null;
  const written = await deps.write(id, { ...values, version: stored.version }, [...Object.keys(values), ...filled], {
    forWhom: deputy.for,
    decision: decided,
  });
  const logId = await logTransition(session, {
    type: screen.name,
    id,
    transition: name,
    from: state.name,
    to,
    forId: deputy.for?.userId ?? null,
    cause: deps.context.what,
    asked: answers,
    remark,
    ...(deps.running && { running: await deps.running(written) }),
    at: (await doneOnDevice(session, screen.name, id)) ?? deps.now?.(),
    reasonId,
  });
  if (!verdict && state.name !== to) await deps.approvals?.withdraw(session, screen, id);
  const act = { around: { ...around, record: written, more }, before: stored, input, transition: name, logId };
  if (transition.undo) await undoEffects(deps, transition.undo, act);
  // The records it had created may have just been undone.
  if (workflow.states.find((one) => one.name === to)?.is === 'cancelled')
    await refuseCancelling(session, deps.context.screens, screen, id);
  const revision = copy && (await deps.revise(copy));
  await runEffects(deps, transition.effects, act);
  const numbered = await deps.number(written, transition);
  await runEffects(deps, transition.effects, { ...act, around: { ...act.around, record: numbered } }, true);
  const done = await readRecord(session, screen, deps.context.screens, id).catch(() => written);
  // A preview assigns no number: it shows what the number would look like.
  const { field } = screen.numberAt ?? {};
  const record = {
    ...done,
    ...(field !== undefined && !done[field] && numbered[field] ? { [field]: numbered[field] } : {}),
    ...(revision && { _revision: revision.id }),
  };
  return { record, isTaken: true };
}

/** The decision on the request for which a record is waiting. */
interface Word {
  request: OpenRequest;
  verdict: Verdict;
  for: ActsFor | null;
}

/**
 * Stores the changes an approver makes while approving, and their decision. @returns the record, and whether it moves
 * on
 */
async function decide(
  deps: TransitionDeps,
  stored: WireRecord,
  edits: Row,
  remark: string | null,
  { request, verdict, for: forWhom }: Word,
): Promise<{ record: WireRecord; goesOn: boolean }> {
  const { session, screen } = deps;
  const names = Object.keys(edits);
  const record =
    names.length === 0
      ? stored
      : await deps.write(stored.id, { ...edits, version: stored.version }, names, { forWhom, decision: null });
  const edited = record.version === stored.version ? null : { screen, record };
  const goesOn = await deps.approvals!.decide(session, request, verdict, { for: forWhom, remark, edited });
  // Others approved different content before.
  if (edited) await deps.approvals!.changed(session, screen, record);
  return { record, goesOn };
}

/** Replaces the old record with its revision, by the transition that created the revision. */
async function replaceOriginal(deps: TransitionDeps, id: number, copy: Row): Promise<void> {
  const { session, screen, screens } = deps;
  const { workflow } = screen;
  const transition = amending(screen)!;
  const stored = await readRecord(session, screen, deps.context.screens, id);
  const state = stateOf(workflow, stored);
  if (!transition.from.includes(state.name)) throw await otherState(deps, stored, state, transition);
  const to = transition.to === BACK ? await stateBefore(deps, id, state) : transition.to!;
  if (workflow.states.find(({ name }) => name === to)?.is === 'cancelled')
    await refuseCancelling(session, deps.context.screens, screen, id);
  const around: Surroundings = { session, screen, screens, record: stored };
  const values = { ...(await replacedValues(around, transition.amend, copy)), [workflow.field]: to };
  await deps.write(id, { ...values, version: stored.version }, Object.keys(values), { forWhom: null, decision: null });
  await logTransition(session, {
    type: screen.name,
    id,
    transition: transition.name,
    from: state.name,
    to,
    forId: null,
    cause: deps.context.what,
    asked: {},
    remark: null,
    at: deps.now?.(),
  });
}

/**
 * The stored record, locked with all records that the transition changes or relies on: all at once; the path to the
 * others is checked again under the lock.
 */
async function lockedRecord(deps: TransitionDeps, id: number, transition: Transition, input: Row): Promise<WireRecord> {
  const { session, screen, screens } = deps;
  const own: Ref = { type: screen.name, id };
  const read = () => readRecord(session, screen, deps.context.screens, id);
  const { locks, effects, undo } = transition;
  const supersedes = amending(screen)?.amend.supersede === transition.name;
  if (!screen.madeOf && !locks && effects.length === 0 && !undo && !supersedes) {
    await lockRecords(session, [own]);
    return read();
  }
  const all = async (record: WireRecord): Promise<Ref[]> => {
    const around: Surroundings = { session, screen, screens, record };
    const act: Act = { around, before: record, input, transition: transition.name, logId: null };
    const replaced = replacedBy(screen, transition, record);
    return [
      own,
      ...(replaced === null ? [] : [{ type: screen.name, id: replaced }]),
      ...(screen.madeOf ? await sourcesOf(session, screen, id) : []),
      ...(await locksOf(deps, transition, act)),
    ];
  };
  await lockRecords(session, await all(await read()));
  const record = await read();
  await lockRecords(session, await all(record));
  return record;
}

const refusedStep = ({ message, reason }: Refusal) => new AppError(403, 'forbidden', message, { reason });

/** The transitions that a person may take with the current record; asserts on asked fields wait for the answers. */
export async function offeredSteps(
  deps: Omit<TransitionDeps, 'write' | 'number' | 'unit' | 'functions' | 'revise'>,
  stored: WireRecord,
): Promise<OfferedStep[]> {
  const { session, screen, screens } = deps;
  if (!stored.active) return [];
  const steps: OfferedStep[] = [];
  let open: Promise<OpenRequest[]> | undefined;
  const waiting = () => (open ??= deps.approvals?.open(session, screen, stored.id) ?? Promise.resolve([]));
  for (const transition of transitionsFrom(screen.workflow, stateOf(screen.workflow, stored).name)) {
    if (isProductsOwn(transition) || !(await holds({ session, screen, screens, record: stored }, transition.when)))
      continue;
    const verdict = verdictOf(screen, transition.name);
    const takesBack = screen.approval?.withdrawn === transition.name;
    const requests = verdict || takesBack ? await waiting() : [];
    if (verdict && requests.length > 0) {
      const request = requests.find((one) => askedNow(session, screen, one));
      if (!request) continue;
      const change = changeableFields(screen, request, verdict);
      steps.push({
        name: transition.name,
        blocked: null,
        ...(change.length > 0 && { change }),
        ...(transition.reason === undefined && needsRemark(request, verdict) && { remark: true }),
      });
      continue;
    }
    if (takesBack && mayTakeBack(session, screen, requests)) continue;
    const may = await mayTake(session, screen, stored, transition, deps).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 403) return { refused: error };
      throw error;
    });
    if ('refused' in may || 'refused' in deputyWithin(screen, transition, may.delegators, [stored])) continue;
    steps.push({ name: transition.name, blocked: await blockedBy(deps, transition, stored) });
  }
  return steps;
}

async function blockedBy(
  { session, screen, screens }: Pick<TransitionDeps, 'session' | 'screen' | 'screens'>,
  transition: Transition,
  stored: WireRecord,
): Promise<string | null> {
  const asked = new Set(transition.ask.map(({ field }) => field));
  for (const guard of transition.guard) {
    if (!('assert' in guard) || [...asked, ...Object.keys(transition.set)].some((name) => guard.assert.includes(name)))
      continue;
    if (!(await holds({ session, screen, screens, record: stored }, guard.assert)))
      return messageInWords(guard.message, { fields: screen.fields, record: stored });
  }
  return null;
}

/** The error for a transition that was offered before somebody else moved the record. */
async function otherState(
  { session, screen }: TransitionDeps,
  stored: WireRecord,
  state: State,
  { title, from }: Transition,
): Promise<AppError> {
  const last = await lastTaken(session, screen.name, stored.id);
  const titles = screen.workflow.states.filter(({ name }) => from.includes(name)).map((one) => `"${one.title}"`);
  const by = last?.by ? `, by ${last.by}` : '';
  return new AppError(
    409,
    'bad_state',
    `"${title}" can be done while the ${inSentence(screen.title)} is ${titles.join(' or ')}. It is "${state.title}" now${by}.`,
    {
      field: screen.workflow.field,
      extra: { state: state.name, changed_by: last?.by ?? null, changed_at: last?.at ?? null },
    },
  );
}

/** The answers, and the approver's changes; anything else in the body is refused. */
export async function answersOf(
  { session, screen, screens }: Pick<TransitionDeps, 'session' | 'screen' | 'screens'>,
  transition: Transition,
  input: Row,
  word: Word | null,
): Promise<{ answers: Row; edits: Row; remark: string | null; reasonId: number | null }> {
  const { reasonUse } = transition;
  const changeable = word ? changeableFields(screen, word.request, word.verdict) : [];
  const known = new Set([
    'version',
    ROWS_VERSION,
    ...transition.ask.map(({ field }) => field),
    ...changeable,
    ...(transition.reason ? ['reason'] : []),
    ...(reasonUse === undefined && !(word && transition.reason === undefined) ? [] : ['remark']),
  ]);
  const other = Object.keys(input).find((one) => !known.has(one));
  if (other !== undefined)
    throw new AppError(400, 'bad_request', `This step does not ask for "${other}". Leave it out.`, { field: other });
  const errors: FieldError[] = [];
  const answers: Row = {};
  for (const { field, required } of transition.ask) {
    const value = input[field];
    if (value !== undefined) answers[field] = value;
    if (required && (value === undefined || value === null || value === '')) {
      const title = screen.fields.find(({ name }) => name === field)?.title ?? field;
      errors.push({ field, message: `${title} is needed for "${transition.title}".` });
    }
  }
  const inWords = reasonUse === undefined && transition.reason !== undefined ? 'reason' : 'remark';
  const words = input[inWords];
  let reason = typeof words === 'string' ? words.trim() : '';
  let reasonId: number | null = null;
  if (reason.length > LONGEST_REASON)
    errors.push({
      field: inWords,
      message: `The ${inWords} has at most ${LONGEST_REASON} characters.`,
    });
  if (reasonUse !== undefined) {
    const chosen = (await reasonsFor(session, screens, screen, transition)).find(({ id }) => id === input.reason);
    if (!chosen) errors.push({ field: 'reason', message: 'Choose one of the reasons.' });
    else if (chosen.remark && reason === '')
      errors.push({ field: 'remark', message: `Please explain: "${chosen.label}" needs a remark.` });
    else {
      reasonId = chosen.id;
      reason = reason === '' ? chosen.label : `${chosen.label}: ${reason}`;
    }
  } else if (transition.reason && reason === '')
    errors.push({
      field: 'reason',
      message: transition.reason.endsWith('?') ? `Answer: ${transition.reason}` : 'Give the reason.',
    });
  else if (reason === '' && word && needsRemark(word.request, word.verdict))
    errors.push({ field: inWords, message: 'A remark is required at this level.' });
  if (errors.length > 0) throw invalid(errors);
  const edits = Object.fromEntries(changeable.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
  return { answers, edits, remark: reason === '' ? null : reason, reasonId };
}

/** The target of `<back>`: the state before the current one. */
async function stateBefore({ session, screen }: TransitionDeps, id: number, state: State): Promise<string> {
  const { tenant } = session;
  const [row] = await tenant.db.query<{ from: string }>(
    preparedStatement(
      `select from_state as "from" from ${quoted(tenant.schema)}.transition_log
       where record_type = $1 and record_id = $2 and to_state = $3 and from_state <> $3 order by id desc limit 1`,
      [screen.name, id, state.name],
    ),
  );
  return row?.from ?? screen.workflow.states[0]!.name;
}

/** The value for a field: `me` is the person taking the transition, anything else an expression. */
export async function valueToSet(
  deps: Pick<TransitionDeps, 'session' | 'screen' | 'screens'>,
  around: Surroundings,
  name: string,
  text: string,
): Promise<unknown> {
  const field = deps.screen.fields.find((one) => one.name === name)!;
  if (text === 'me') {
    const serves = field.ref && deps.screens.get(field.ref.type)?.serves;
    return typeof serves === 'object' && 'member' in serves ? deps.session.employeeId : deps.session.userId;
  }
  return plainValue(field, await valueIn(around, text));
}

/** The findings of the guards. `stored`: null for a new record. */
export async function guardFindings(
  deps: Pick<TransitionDeps, 'screen' | 'functions' | 'unit'>,
  guards: GuardUse[],
  around: Surroundings,
  stored: WireRecord | null,
  input: Row,
): Promise<FieldError[]> {
  const found: FieldError[] = [];
  for (const guard of guards) {
    if ('assert' in guard) {
      if (!(await holds(around, guard.assert)))
        found.push({
          field: guard.field ?? '',
          message: messageInWords(guard.message, { fields: deps.screen.fields, record: around.record }),
        });
      continue;
    }
    const check = deps.functions.guards.get(guard.name);
    if (!check) throw new Error(`There is no guard "${guard.name}".`);
    const record = around.record as WireRecord;
    const unit = deps.unit({ elevated: check.elevated === true });
    const args = await argumentsOf(around, check.args, guard.args);
    const services = deps.functions.services!;
    found.push(...(await check.check({ unit, services, args, type: deps.screen.name, record, before: stored, input })));
  }
  return found;
}
