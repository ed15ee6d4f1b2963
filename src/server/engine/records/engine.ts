import { formatNumber } from '../../../descriptor/format.ts';
import { announceChange } from '../../services/live/announced_changes.ts';
import { WebhookTypes } from '../../services/live/webhook_events.ts';
import { WebhookCalls } from '../events/webhook_calls.ts';
import type { Decision, RecordEvent, RecordAudit, RecordChange } from './record_change.ts';
import type { UnitOfWork, UnitOptions } from './unit_of_work.ts';
import { afterCommit, inUnit, unitOf } from './unit_of_work.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import type { WriteKey } from './write_keys.ts';
import { contentHash, keyOf, onceForKey, refuseOtherContent } from './write_keys.ts';
import type { ListGroups } from '../../../descriptor/list_groups.ts';
import type { LinkedRecords, RelatedGroup } from '../../../descriptor/makes.ts';
import type { LinkDeps } from '../makes/links.ts';
import { cannotMake, linkedRecords, settle, sourceOf, sourcesOf, storeLink } from '../makes/links.ts';
import { lockRecords } from './locks.ts';
import { missingOf } from '../makes/make_each.ts';
import { prefill } from '../makes/prefill.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { HoursOf } from '../clocks/record_clocks.ts';
import { beginBands, clocksNow, followClocks, runningClocks } from '../clocks/record_clocks.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import { runAction } from '../actions/run_action.ts';
import { filledRecord, filledValues } from '../fills/run_fills.ts';
import { elevated } from './elevated.ts';
import { holds, valueIn } from '../workflow/values.ts';
import type { Automatic } from '../events/domain_events.ts';
import { DomainEvents } from '../events/domain_events.ts';
import { asksOf } from '../../../descriptor/words/approval.ts';
import type { RecordApproval } from '../../../domain/approval_levels.ts';
import { isRelated } from '../workflow/relations.ts';
import { actingForIn } from '../../access/rights/scope.ts';
import type { Approvals } from '../approval/approvals.ts';
import { NamedFunctions } from '../modules.ts';
import type { UnitLimits } from './unit.ts';
import { Unit } from './unit.ts';
import { numberAt, withMaskedNumber } from '../numbers/number_at.ts';
import { runEffects } from '../effects/run_effects.ts';
import type { OfferedReason } from '../workflow/reasons.ts';
import { reasonsFor } from '../workflow/reasons.ts';
import { clearRefusals, noteRefusal, refusalWords } from '../workflow/refused_steps.ts';
import { guardFindings, offeredSteps, takeTransition } from '../workflow/transition.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { RowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, FieldError, JsonSchema, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { recordHistory } from './history.ts';
import { noHooks } from './hooks.ts';
import type { Hooks } from './hooks.ts';
import { CountMemory } from './count_memory.ts';
import { boardColumns } from './board.ts';
import type { BoardColumn } from './board.ts';
import { countRecords, listRecords } from './list.ts';
import type { ListAnswer } from './list.ts';
import type { ListQuery } from './list_query.ts';
import type { ManyCalls } from './many_calls.ts';
import { manyCalls } from './many_calls.ts';
import { notTaken } from './not_taken.ts';
import { openedFields, revisionScreen } from '../../../descriptor/opened_fields.ts';
import { ownDefaults } from './own_defaults.ts';
import type { MayOpenFile } from './named_files.ts';
import { optionsOf } from './options.ts';
import type { Option, OptionsQuery } from './options.ts';
import { staleVersion } from './history.ts';
import { hasParts } from './part_rows.ts';
import { withChangedRows } from './changed_rows.ts';
import { readCells } from './merge_cells.ts';
import type { CellsAnswer } from './save_cells.ts';
import { fieldSavedApart, rowsSince, saveCells } from './save_cells.ts';
import { rowsSavedApart } from '../../../descriptor/words/field/x_save.ts';
import type { Above } from './part_doors.ts';
import { changeByParts, ofParent, parentsOf } from './part_doors.ts';
import { publishVersion } from '../questionnaire/versions.ts';
import { readRecord } from './read.ts';
import { relatedGroups } from './related.ts';
import { madeFrom } from '../makes/made_from.ts';
import { actedFor } from './acted_for.ts';
import { searchRecords } from './search.ts';
import { searchLists } from './search_lists.ts';
import type { SightCalls } from './sight_engine.ts';
import { inSight } from './sight_engine.ts';
import type { Found } from './search.ts';
import type { CompanySettings, SettingSources } from './company_settings.ts';
import { saveCompanySettings, settingSources } from './company_settings.ts';
import { bandGaps } from './ranges.ts';
import { readSingle, saveSingle } from './single.ts';
import { copyOf, removeRecord, setActive } from './state.ts';
import type { GroupQuery } from './groups.ts';
import { listGroups } from './groups.ts';
import { hierarchyNodes } from './hierarchy.ts';
import type { HierarchyNode } from './hierarchy.ts';
import { closedOf } from './closed_periods.ts';
import { nodesAbove, noteFigures, readFigures, rowTreeOf } from './row_trees.ts';
import type { AnsweredLine } from './row_trees.ts';
import type { TreeNode as RowNode } from '../../../descriptor/row_tree.ts';
import { subordinates, treeNodes } from './tree.ts';
import type { TreeNode } from './tree.ts';
import { removeView, saveView, savedViews } from './views.ts';
import type { SavedView } from './views.ts';
import { createRecord, findingsOfTyped, recordAsTyped, updateRecord } from './write.ts';
import { shapeOf } from './shapes.ts';
import type { PartWriter, WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

export interface EngineDeps {
  /** The screens as this session's client has them. */
  screens: (session: Session) => Map<string, Screen>;
  hooks?: Hooks;
  /** Needed by types with encrypted fields. */
  vault?: Vault;
  /** Whether people of the session's company may approve what they asked for themselves; default no. */
  ownWork?: (session: Session) => Promise<boolean>;
  /** Guards, effects and fills of the modules. */
  functions?: NamedFunctions;
  /** When a place works; default: always. */
  hours?: HoursOf;
  /** When it is for clocks and the log of transitions; default: by the database. */
  now?: () => Date;
  /** Who subscribes to what happens. */
  events?: DomainEvents;
  /** What webhooks of clients ask for. */
  webhooks?: WebhookTypes;
  notifications?: Notifications;
  /** Address of the public page of a record; default: there is none. */
  publicLink?: (session: Session, screen: Screen, id: number) => Promise<string>;
  /** The session of a person without a sign-in, in the company of the session that is given. */
  personSession?: (session: Session, userId: number) => Promise<Session | null>;
  /** Who approves what; default: rights alone decide. */
  approvals?: Approvals;
  /** Whether a person has a role, by its code. */
  holdsRole?: (session: Session, code: string) => Promise<boolean>;
  /** Whether a person may open a file, by its number; default: nobody may. */
  mayOpenFile?: MayOpenFile;
  onChange?: (tenant: Tenant, change: RecordChange) => void;
  /** What the activity log keeps of what is done to records. */
  audit?: RecordAudit;
  /** Called with every record that somebody adds, changes or removes by itself; not of imports. */
  onRecordEvent?: (session: Session, screen: Screen, event: RecordEvent) => void;
}

/** Answers of a bulk call: what changed, and why the others did not. */
export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
  /** Fields that were sent and are changed in no record, and why. */
  not_taken?: FieldError[];
}

/**
 * The generic engine: every record type through the same calls. Company and row scope hold here, in every
 * statement; which pages and actions a person has is checked by the routes (`authorize`).
 */
export interface Engine extends SightCalls, ManyCalls {
  /**
   * One act in one transaction: what is done with the unit's session commits together or not at all. It runs again
   * where the database says so, so it touches nothing outside of the transaction.
   */
  transaction<T>(actor: Session, work: (unit: UnitOfWork) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** What functions of modules work with, within a unit of work. */
  unit(unit: UnitOfWork, limits?: UnitLimits): Unit;
  list(session: Session, screen: Screen, query: ListQuery): Promise<ListAnswer>;
  count(session: Session, screen: Screen, query: ListQuery): Promise<{ count: number; capped: boolean }>;
  /** The rows of a list in groups of one field, with their number and sums. */
  groups(session: Session, screen: Screen, query: ListQuery, groups: GroupQuery): Promise<ListGroups>;
  /** What no band of a type holds, in people's words. */
  gaps(session: Session, screen: Screen): Promise<string[]>;
  /** Of types with a board: its columns with counts and sums. */
  board(session: Session, screen: Screen, query: ListQuery): Promise<BoardColumn[]>;
  /**
   * Takes a transition in place of a person, if the record is in a state that it leads from. `input`: what it asks for.
   * @returns whether it did @throws AppError where something in the record refuses it
   */
  takeAuto(session: Session, screen: Screen, id: number, name: string, cause?: string, input?: Row): Promise<boolean>;
  /** The clocks of a record as they stand now. @throws AppError 404 */
  clocks(session: Session, screen: Screen, id: number): Promise<Row[]>;
  /** Reckons the clocks of a record anew, in a unit of work. */
  followClocks(session: Session, screen: Screen, id: number): Promise<void>;
  /** Says which bands of a record's clocks have begun and were not said, in a unit of work. */
  beginBands(session: Session, screen: Screen, id: number, now: Date): Promise<void>;
  /** The reasons that a transition asks to choose from. */
  reasons(session: Session, screen: Screen, name: string): Promise<OfferedReason[]>;
  /** What is missing of a make with `each`, as values of new records, and how many are left beside. @throws AppError 403, 404, 409 */
  beginEach(session: Session, screen: Screen, id: number, name: string): Promise<{ values: Row[]; left: number }>;
  /** What a record was made from, and what it leads to, as far as this person sees it. */
  links(session: Session, screen: Screen, id: number): Promise<LinkedRecords>;
  /** The JSON Schema by which a record, chosen in a form, describes the value of a field there. @throws AppError 404 */
  shape(session: Session, screen: Screen, field: string, id: number): Promise<JsonSchema>;
  /** The records that refer to one, counted by type and field, as far as this person sees them. @throws AppError 404 */
  related(session: Session, screen: Screen, id: number): Promise<RelatedGroup[]>;
  /** The levels of the last round of approval of a record that the person may read. @throws AppError 404 */
  approval(session: Session, screen: Screen, id: number): Promise<RecordApproval[]>;
  /** Those relations among which a type’s actions ask in which the person, or whom they act for, stands to a record. */
  standsAs(session: Session, screen: Screen, record: WireRecord): Promise<string[]>;
  /** Takes the same transition with several records: each by itself, or all of them or none, as the descriptor says. */
  bulkTransition(
    session: Session,
    screen: Screen,
    ids: number[],
    name: string,
    input: Row,
    key?: WriteKey | null,
  ): Promise<BulkAnswer>;
  remove(session: Session, screen: Screen, id: number): Promise<void>;
  bulkSet(session: Session, screen: Screen, ids: number[], set: Row, key?: WriteKey | null): Promise<BulkAnswer>;
  bulkRemove(
    session: Session,
    screen: Screen,
    ids: number[],
    mode: 'deactivate' | 'activate' | 'delete',
    key?: WriteKey | null,
  ): Promise<BulkAnswer>;
  options(session: Session, screen: Screen, query: OptionsQuery): Promise<Option[]>;
  tree(
    session: Session,
    screen: Screen,
    query: { root: number | null; depth: number | null; q: string },
  ): Promise<TreeNode[]>;
  hierarchy(session: Session, screen: Screen, query: { root: number | null; q: string }): Promise<HierarchyNode[]>;
  /** What stands above the records that rows refer to, by column. */
  nodesAbove(
    session: Session,
    field: Field,
    ids: ReadonlyMap<string, readonly number[]>,
  ): Promise<Map<string, RowNode[]>>;
  /** The columns of closed periods of a record, by its rows fields; null = its type closes none. */
  closedPeriods(session: Session, screen: Screen, record: Row): Promise<Record<string, string[]> | null>;
  /** Rows of a record in the order of their tree, with the subtotals of its groups. */
  rowTree(session: Session, field: Field, rows: readonly Row[]): Promise<AnsweredLine[]>;
  subordinates(
    session: Session,
    screen: Screen,
    id: number,
    depth: number | null,
  ): Promise<{ id: number; depth: number }[]>;
  single(session: Session, screen: Screen): Promise<WireRecord>;
  settingSources(session: Session, screen: Screen): Promise<SettingSources>;
  saveCompanySettings(session: Session, screen: Screen, input: Row): Promise<CompanySettings>;
  saveSingle(session: Session, screen: Screen, input: Row): Promise<WireRecord>;
  views(session: Session, screen: Screen): Promise<SavedView[]>;
  saveView(session: Session, screen: Screen, id: number | null, input: Row): Promise<SavedView>;
  removeView(session: Session, screen: Screen, id: number): Promise<void>;
  search(session: Session, q: string): Promise<Found[]>;
}

/** Steps that may follow from one change by conditions. */
const MAX_AUTO_STEPS = 5;

/** Whether a condition takes steps of a type by itself. */
const hasAutoWhen = ({ workflow }: Screen): boolean =>
  workflow?.transitions.some(({ auto }) => auto?.some(({ when }) => when !== undefined)) === true;

/** Records that one bulk call takes at most. */
const MAX_AT_ONCE = 1_000;

export function createEngine({
  screens,
  hooks = noHooks,
  vault,
  ownWork = () => Promise.resolve(false),
  mayOpenFile = () => Promise.resolve(false),
  functions = new NamedFunctions([]),
  hours = () => Promise.resolve({ timezone: null, roundTheClock: true, hours: [], off: () => 'none' as const }),
  now,
  events = new DomainEvents([]),
  webhooks = new WebhookTypes(),
  notifications,
  publicLink = () => Promise.reject(new Error('There are no public pages here.')),
  personSession = () => Promise.resolve(null),
  approvals,
  holdsRole = () => Promise.resolve(false),
  audit,
  onChange = () => undefined,
  onRecordEvent = () => undefined,
}: EngineDeps): Engine {
  const context = (session: Session, screen: Screen, what: string): WriteContext => ({
    session,
    screen,
    screens: screens(session),
    hooks,
    vault,
    what,
    mayOpenFile,
    audit,
    ...(hasParts(screen) && { parts: partsOf(what) }),
    ...(screen.fills && { fill: (record: Row, stored: WireRecord | null) => fillsOf(session, screen, record, stored) }),
    wrote: (id, change, decision) => {
      happened(session, screen, 'changed', id, Object.keys(change));
      afterCommit(session, (by) => onRecordEvent(by, screen, { id, op: 'U', change, ...(decision && { decision }) }));
    },
  });
  /** Parts are written as records of any type; their own doors are shut, for they go through their parents. */
  const partsOf = (what: string): PartWriter => ({
    create: (session, screen, input) => add(session, screen, input, what),
    update: (session, screen, id, input) => change(session, screen, id, input, what),
    remove: (session, screen, id) => takeAway(session, screen, id, what),
  });
  const fillDeps = (session: Session, screen: Screen) => ({
    session,
    screen,
    screens: screens(session),
    functions,
    unit: () => engine.unit(unitOf(session)!),
  });
  const clockDeps = (session: Session, screen: Screen) => ({
    ...fillDeps(session, productScreen(screen)),
    hours,
    now: () => now?.() ?? new Date(),
  });
  /** What a clock reads of a record, whoever wrote it may see. */
  const wholeRecord = (session: Session, screen: Screen, id: number) =>
    readRecord(elevated(session), productScreen(screen), screens(session), id);
  /** Puts what the clocks of a record show into what is answered of it. */
  const withClocks = async (session: Session, screen: Screen, record: WireRecord): Promise<void> => {
    if (!screen.clocks) return;
    const shown = await followClocks(clockDeps(session, screen), await wholeRecord(session, screen, record.id));
    for (const [name, value] of Object.entries(shown)) if (name in record) record[name] = value;
  };
  const fillsOf = (session: Session, screen: Screen, record: Row, stored: WireRecord | null, refill?: string[]) =>
    filledRecord(fillDeps(session, screen), record, stored, refill);
  const happened = (session: Session, { name }: Screen, what: Automatic, id: number, fields?: string[]) => {
    if (events.watches(name)) events.ofRecord(session, name, what, id, fields);
  };
  const ofMany = async (
    tx: Queryable,
    session: Session,
    screen: Screen,
    what: Automatic,
    ids: readonly number[],
    cause: string,
  ) => {
    const follows = what !== 'removed' && (hooks.followsImports?.(screen) === true || screen.clocks !== undefined);
    await announceChange(tx, session.tenant.schema, screen);
    await webhookCalls.written(tx, session, screen.name, ids);
    await events.ofMany(tx, session, screen.name, what, ids, { cause, follows });
  };
  const webhookCalls = new WebhookCalls(webhooks);
  const counts = new CountMemory();
  const publish = (session: Session, screen: Screen, id: number, op: RecordChange['op']) => {
    webhookCalls.changed(session, screen.name, id);
    afterCommit(session, ({ tenant }) => {
      counts.forget(tenant.schema, screen.name);
      onChange(tenant, {
        type: screen.name,
        id,
        op,
        entityId: screen.scope === 'entity' ? session.entityId : null,
      });
    });
  };
  const announce = (session: Session, screen: Screen, what: RecordEvent) =>
    afterCommit(session, (by) => onRecordEvent(by, screen, what));
  /** What follows from a record belongs to the act, and what others are notified of; where there is none a single statement is the unit. */
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
  /** Whether what follows from a record, or fills it in, may look at all of its rows. */
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

  /** What was made of others is locked with those: a change of it goes on to them. */
  async function lockSources(session: Session, screen: Screen, id: number): Promise<void> {
    if (screen.madeOf)
      await lockRecords(session, [{ type: screen.name, id }, ...(await sourcesOf(session, screen, id))]);
  }

  /** What the workflow says of a record that is added: its guards look at it as it is stored, then its effects run. */
  async function begun(session: Session, screen: Screen, record: WireRecord, input: Row): Promise<WireRecord> {
    const { insert } = screen.workflow ?? {};
    const unit = unitOf(session);
    if (!insert || !unit) return record;
    const deps = {
      ...stepDeps(session, screen, record.id),
      functions,
      unit: (limits?: UnitLimits) => engine.unit(unit, limits),
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
    update: (session, screen, id, input) => engine.update(session, screen, id, input, 'action'),
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

  /** What follows from a record by the words of its type: its sources, and the steps that a condition takes. */
  async function follow(
    session: Session,
    screen: Screen,
    id: number,
    after: WireRecord | null,
    { linked = true } = {},
  ): Promise<void> {
    if (screen.madeOf && linked) await settle(linkDeps, session, screen, id, after);
    if (after && screen.approval) await approvals?.changed(session, screen, after);
    if (!after || !hasAutoWhen(screen)) return;
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

  /** Takes a transition, within the unit of work that the session is in or in one of its own. */
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
            unit: (limits) => engine.unit(unit, limits),
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

  /** Adds a record, with what follows from it. */
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
        await follow(session, screen, record.id, record, { linked: from !== null });
        publish(session, screen, record.id, 'I');
        return record;
      },
      from !== null || screen.workflow?.insert !== undefined,
    );
  }

  /** Changes a record, with what follows from it. */
  function change(
    actor: Session,
    screen: Screen,
    id: number,
    input: Row,
    what: string,
    rows?: 'changed',
  ): Promise<WireRecord> {
    return whole(actor, screen, async (session) => {
      // What others save of the rows meanwhile is counted in, or waits.
      if (hasParts(screen) || rowsSavedApart(screen.fields).length > 0)
        await lockRecords(session, [{ type: screen.name, id }]);
      await lockSources(session, screen, id);
      const own = context(session, screen, what);
      let written: Row = {};
      const record = await updateRecord(
        {
          ...own,
          delegators: () => actedFor(session, screen, screens(session), id, false),
          wrote: (of, differs, decision) => {
            written = differs;
            own.wrote?.(of, differs, decision);
          },
          ...(rows && !looksAtRows(screen) && { rows }),
        },
        id,
        input,
      );
      // Nothing changed, nothing to announce.
      if (record.version !== input.version) {
        await hooks.saved(session, screen, record);
        await withClocks(session, screen, record);
        await follow(session, screen, id, record);
        publish(session, screen, id, 'U');
      }
      return rows ? withChangedRows(screen, record, written) : record;
    });
  }

  /** Saves cells of rows that are saved apart from their record, with what follows from it. */
  function saveRows(actor: Session, screen: Screen, id: number, name: string, sent: Row): Promise<CellsAnswer> {
    const field = fieldSavedApart(screen, name);
    const cells = readCells(field, sent);
    const figures = readFigures(field, sent);
    return inUnit(actor, async (unit) => {
      const session = { ...actor, tenant: unit.session.tenant };
      await lockRecords(session, [{ type: screen.name, id }]);
      await lockSources(session, screen, id);
      const own = context(session, screen, 'form');
      let written: Row | null = null;
      const answer = await saveCells(
        {
          ...own,
          delegators: () => actedFor(session, screen, screens(session), id, false),
          wrote: (of, differs, decision) => {
            written = differs;
            own.wrote?.(of, differs, decision);
          },
          ...(!looksAtRows(screen) && { rows: 'changed' }),
        },
        field,
        id,
        cells,
      );
      if (written === null) return answer;
      const { record } = answer;
      if (figures.length > 0) {
        const whole = await readRecord(session, screen, screens(session), id);
        const change = { id, rows: whole[name] as Row[], written: (written as Row)[name] as RowsChange };
        await noteFigures(session, screens(session), screen, field, change, figures);
      }
      await hooks.saved(session, screen, record);
      await withClocks(session, screen, record);
      await follow(session, screen, id, record);
      publish(session, screen, id, 'U');
      return { ...answer, record: withChangedRows(screen, record, written) };
    });
  }

  /** Removes a record, with what follows from it. */
  function takeAway(actor: Session, screen: Screen, id: number, what: string): Promise<void> {
    return whole(actor, screen, async (session) => {
      await lockSources(session, screen, id);
      await removeRecord(context(session, screen, what), id);
      happened(session, screen, 'removed', id);
      await follow(session, screen, id, null);
      announce(session, screen, { id, op: 'D' });
      publish(session, screen, id, 'D');
    });
  }

  /**
   * One by one, so that one record's refusal does not stop the others; each is answered by itself. With a key, what was
   * done before is not done again, and what was refused is tried again.
   */
  async function each(
    session: Session,
    ids: number[],
    key: WriteKey | null,
    work: (session: Session, id: number) => Promise<unknown>,
  ): Promise<BulkAnswer> {
    if (ids.length > MAX_AT_ONCE)
      throw new AppError(400, 'bad_request', `At most ${formatNumber(MAX_AT_ONCE)} records at once.`, {
        field: 'ids',
      });
    await refuseOtherContent(session, key, ids);
    const answer: BulkAnswer = { changed: [], errors: [] };
    for (const id of new Set(ids)) {
      try {
        await onceForKey(
          session,
          keyOf(key, id),
          async (by) => {
            await work(by, id);
            return { result: undefined, kept: { id } };
          },
          () => Promise.resolve(undefined),
        );
        answer.changed.push(id);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        answer.errors.push({ id, message: error.message });
      }
    }
    return answer;
  }

  /** What an act on a part alone is answered. */
  const refuseRow = (session: Session, { title, part }: Screen) =>
    new AppError(
      409,
      'bad_state',
      `A ${inSentence(title)} is a row of its ${inSentence(screens(session).get(part!.of)!.title)}. Change it there.`,
    );
  const parent = ofParent({
    screens,
    update: (session, screen, id, input, what) => engine.update(session, screen, id, input, what),
  });

  const engine: Engine = {
    list: (session, screen, query) => listRecords(session, screen, screens(session), query, counts),
    groups: (session, screen, query, groups) => listGroups(session, screen, screens(session), query, groups),
    count: (session, screen, query) => countRecords(session, screen, screens(session), query, counts),
    gaps: bandGaps,
    board: (session, screen, query) => boardColumns(session, screen, screens(session), query),
    read: (session, screen, id) => readRecord(session, screen, screens(session), id),
    transaction: inUnit,
    unit: (unit, limits) =>
      new Unit(unit, { engine, screens, notifications: notifications!, events, publicLink, personSession }, limits),
    create: (actor, screen, input, what = 'form') =>
      screen.part ? parent.create(actor, screen, input, what) : add(actor, screen, input, what),
    update: (actor, screen, id, input, what = 'form', rows) =>
      screen.part ? parent.update(actor, screen, id, input, what) : change(actor, screen, id, input, what, rows),
    saveRows,
    rowsSince: (session, screen, id, name, since) =>
      rowsSince(session, screen, screens(session), fieldSavedApart(screen, name), id, since),
    fill: (actor, screen, id, values) =>
      inUnit(
        actor,
        async ({ session }) => {
          if (!screen.fills) throw notFound();
          const stored = id === null ? null : await readRecord(session, screen, screens(session), id);
          const record = await recordAsTyped(context(session, screen, 'form'), values, stored);
          return filledValues(fillDeps(session, screen), record);
        },
        { preview: true },
      ),
    check: (actor, screen, id, values) =>
      inUnit(
        actor,
        ({ session }) => {
          if (screen.part) throw notFound();
          return findingsOfTyped(context(session, screen, 'form'), values, id);
        },
        { preview: true },
      ),
    act: (actor, screen, input) =>
      inUnit(
        actor,
        ({ session }) =>
          runAction(
            {
              ...fillDeps(session, screen),
              standsAs: (stored) => engine.standsAs(session, screen, stored),
              asTyped: (values, stored) => recordAsTyped(context(session, screen, 'form'), values, stored),
              stale: (stored, version) => staleVersion(context(session, screen, 'action'), stored, version),
              update: (open, id, set) => engine.update(session, open, id, set, 'action'),
            },
            input,
          ),
        { preview: input.values !== null },
      ),
    transition: step,
    async clocks(session, screen, id) {
      if (!screen.clocks) throw notFound();
      await readRecord(session, screen, screens(session), id);
      return inUnit(session, async (unit) =>
        clocksNow(clockDeps(unit.session, screen), await wholeRecord(unit.session, screen, id)),
      );
    },
    async followClocks(session, screen, id) {
      await followClocks(clockDeps(session, screen), await wholeRecord(session, screen, id));
    },
    async beginBands(session, screen, id, at) {
      const record = await wholeRecord(session, screen, id);
      // Of a record that came past the engine nothing is computed yet.
      if (screen.clocks?.some(({ value }) => (record[value] ?? null) === null))
        await followClocks(clockDeps(session, screen), record);
      const said = await beginBands(clockDeps(session, screen), record, at.getTime());
      if (events.watches(screen.name))
        for (const { event, band } of said) events.ofRecord(session, screen.name, event, id, undefined, { band });
    },
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
    bulkTransition(session, screen, ids, name, input, key = null) {
      const { bulk } = screen.workflow?.transitions.find((one) => one.name === name) ?? {};
      if (bulk === undefined) throw notFound();
      const take = (by: Session, id: number) => engine.transition(by, screen, id, name, input);
      if (bulk === 'each') return each(session, ids, key, take);
      const all = { changed: ids, errors: [] };
      const together = async (by: Session) => {
        await inUnit(by, async (unit) => {
          for (const id of ids) await take(unit.session, id);
        });
        return { result: all, kept: {} };
      };
      // The same key comes with the same records, or is refused.
      return onceForKey(session, key && { ...key, hash: contentHash([key.hash, ids]) }, together, () =>
        Promise.resolve(all),
      );
    },
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
    async begin(session, target, from) {
      const known = screens(session);
      const { screen, make, source } = await sourceOf(session, known, target, from);
      const values = await prefill({ session, screen, screens: known, record: source }, make, target, source);
      if (make.run === undefined) return values;
      const { _from, ...typed } = values;
      const form = { on: 'record', params: {}, id: null, version: null, values: typed, rows: [], ids: [] };
      const { set } = await engine.act(session, target, { ...form, run: make.run });
      return { ...values, ...set };
    },
    async beginEach(session, screen, id, name) {
      const known = screens(session);
      const make = screen.makes?.find((one) => one.name === name && one.each !== undefined);
      const target = make && known.get(make.to);
      if (!make || !target) throw notFound();
      authorize(session, target, 'add_screen', target.access.action);
      await lockRecords(session, [{ type: screen.name, id }]);
      const source = await readRecord(session, screen, known, id);
      const why = await cannotMake(session, known, screen, source, make);
      if (why !== null) throw new AppError(409, 'bad_state', why);
      return missingOf({ session, screen, screens: known, record: source }, make, target, source);
    },
    makeEach: (actor, screen, id, name, { preview = false } = {}) =>
      inUnit(
        actor,
        async (unit) => {
          const known = screens(actor);
          const { values, left } = await engine.beginEach(unit.session, screen, id, name);
          const target = known.get(screen.makes!.find((one) => one.name === name)!.to)!;
          const made: WireRecord[] = [];
          for (const one of values) {
            const record = await engine.unit(unit).create(target.name, one);
            made.push(preview ? await withMaskedNumber(unit.session, target, known, record) : record);
          }
          return { made, left };
        },
        { preview },
      ),
    async beginsWith(session, screen) {
      const own = await ownDefaults(session, screen);
      return Object.fromEntries(Object.entries(own).filter(([name]) => !name.includes('.')));
    },
    async makes(session, screen, stored) {
      const known = screens(session);
      const offered: OfferedStep[] = [];
      for (const make of screen.makes ?? []) {
        const target = known.get(make.to);
        if (!target || session.rights.refuse(target, 'add_screen') || session.rights.refuseAction(target.access.action))
          continue;
        if ((await cannotMake(session, known, screen, stored, make)) === null)
          offered.push({ name: make.name, blocked: null });
      }
      return offered;
    },
    async links(session, screen, id) {
      await readRecord(session, screen, screens(session), id);
      return linkedRecords(session, screens(session), screen, id);
    },
    shape: (session, screen, field, id) => shapeOf(session, screen, screens(session), field, id),
    async related(session, screen, id) {
      await readRecord(session, screen, screens(session), id);
      return relatedGroups(session, screen, screens(session), id);
    },
    async approval(session, screen, id) {
      await readRecord(session, screen, screens(session), id);
      return (await approvals?.levels(session, screen, id)) ?? [];
    },
    async standsAs(session, screen, record) {
      const people = [session, ...actingForIn(session, screen, record)];
      const found: string[] = [];
      for (const name of new Set(screen.actions.flatMap(({ who = [] }) => who)))
        for (const { userId, employeeId } of people)
          if (
            !found.includes(name) &&
            (await isRelated(session, screens(session), screen, record, name, { userId: userId ?? 0, employeeId }))
          )
            found.push(name);
      return found;
    },
    async bulkSet(session, screen, ids, set, key = null) {
      const refused = notTaken(screen, set);
      const names = new Set(refused.map(({ field }) => field));
      const taken = Object.fromEntries(Object.entries(set).filter(([name]) => !names.has(name)));
      if (refused.length > 0 && Object.keys(taken).length === 0) return { changed: [], errors: [], not_taken: refused };
      const answer = await each(session, ids, key, async (by, id) => {
        const { version } = await engine.read(by, screen, id);
        await engine.update(by, screen, id, { ...taken, version }, 'bulk');
      });
      return refused.length > 0 ? { ...answer, not_taken: refused } : answer;
    },
    bulkRemove: (session, screen, ids, mode, key = null) =>
      each(session, ids, key, (by, id) =>
        mode === 'delete' ? engine.remove(by, screen, id) : engine.setActive(by, screen, id, null, mode === 'activate'),
      ),
    copy: async (session, screen, id) => copyOf(screen, await readRecord(session, screen, screens(session), id)),
    options: (session, screen, query) => optionsOf(session, screen, screens(session), query),
    tree: (session, screen, query) => treeNodes(session, screen, screens(session), query),
    hierarchy: (session, screen, query) => hierarchyNodes(session, screen, screens(session), query),
    nodesAbove: (session, field, ids) => nodesAbove(session, screens(session), field, ids),
    closedPeriods: (session, screen, record) => closedOf(session, screens(session), screen, record),
    rowTree: (session, field, rows) => rowTreeOf(session, screens(session), field, rows),
    async subordinates(session, screen, id, depth) {
      await readRecord(session, screen, screens(session), id);
      return subordinates(session, screen, id, depth);
    },
    async history(session, screen, id, page) {
      await readRecord(session, screen, screens(session), id);
      return recordHistory(session, screen, id, page);
    },
    single: (session, screen) => readSingle(session, screen, screens(session)),
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
    settingSources: (session, screen) => settingSources(context(session, screen, 'form')),
    saveCompanySettings: (actor, screen, input) =>
      whole(actor, screen, async (session) => {
        const saved = await saveCompanySettings(context(session, screen, 'company'), input);
        afterCommit(session, ({ tenant }) =>
          onChange(tenant, { type: screen.name, id: 0, op: 'U', entityId: saved.entity_id }),
        );
        return saved;
      }),
    views: savedViews,
    saveView,
    removeView,
    search: async (session, q) => [
      ...searchLists(session, screens(session), q),
      ...(await searchRecords(session, screens(session), q)),
    ],
    ...manyCalls({ screens, hooks, vault, mayOpenFile, context, fillsOf, withClocks, ofMany, publish, refuseRow }),
  };
  return inSight(engine, screens);
}
