/**
 * The assembled engine: every record type goes through the same calls, which are in files named after their content.
 * The main paths, from the top down:
 *
 * A list: `http/records/records.ts` finds the type, checks the right (`authorize`) and has the tables created →
 * `listRecords` builds one statement: rows of the company and the person (`conditions`), hidden fields emptied
 * (`visibleTable`), order, page, labels → a second one counts, up to a limit, if the page does not show the count.
 *
 * An insert: the route → `onceForKey`, if a key was sent → `inSight` refuses hidden fields → `add` opens a transaction
 * if there are side effects → `createRecord`: defaults, copied and filled values, formulas, checks → `insertStatement`
 * checks references and keys, assigns the number, writes record, rows and history in one → guards and effects of the
 * insert → clocks, sources, approval, automatic transitions → after the commit: webhooks, open lists, notices.
 *
 * A transition: the route → `step` opens a transaction → `takeTransition` locks the record and those the transition
 * refers to, checks state, version, condition and person, writes, logs, runs the effects, assigns the number → the
 * parent of a part → approval → `follow`. A preview does the same and is rolled back.
 *
 * An import: `http/records/excel.ts` → a separate process (`engine/excel/import_run.ts`) reads the sheets, finds
 * references and stored records by their keys → `validateMany` and `checkMany` report errors, and nothing is written →
 * on commit, `insertMany`, `insertParts`, `updateMany` and `updateWithRows` write all batches in one transaction with
 * their history → a subscriber of its event handles the side effects.
 */
import { issuePrint } from '../effects/print.ts';
import type { Field, JsonSchema, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ListGroups } from '../../../descriptor/list_groups.ts';
import type { RelatedGroup } from '../../../descriptor/makes.ts';
import type { TreeNode as RowNode } from '../../../descriptor/row_tree.ts';
import type { RecordApproval } from '../../../domain/approval_levels.ts';
import type { Session } from '../../access/context.ts';
import { actingForIn } from '../../access/rights/scope.ts';
import { notFound } from '../../db/errors.ts';
import { openFields } from '../workflow/locked_fields.ts';
import { runAction } from '../actions/run_action.ts';
import type { ClockCalls } from '../clocks/clock_calls.ts';
import { clockCalls } from '../clocks/clock_calls.ts';
import { filledValues } from '../fills/run_fills.ts';
import type { MakeCalls } from '../makes/make_calls.ts';
import { makeCalls } from '../makes/make_calls.ts';
import { isRelated } from '../workflow/relations.ts';
import type { StepCalls } from '../workflow/step_calls.ts';
import { stepCalls } from '../workflow/step_calls.ts';
import type { ManyStepCalls } from '../workflow/many_steps.ts';
import { manyStepCalls } from '../workflow/many_steps.ts';
import { announcements } from './announce.ts';
import type { BoardColumn } from './board.ts';
import { boardColumns } from './board.ts';
import type { BulkCalls } from './bulk_calls.ts';
import { bulkCalls } from './bulk_calls.ts';
import { closedOf } from './closed_periods.ts';
import type { SettingSources } from './company_settings.ts';
import { settingSources } from './company_settings.ts';
import { CountMemory } from './count_memory.ts';
import { engineContext } from './engine_context.ts';
import type { EngineDeps } from './engine_deps.ts';
import { withDefaults } from './engine_deps.ts';
import type { GroupQuery } from './groups.ts';
import { listGroups } from './groups.ts';
import type { HierarchyNode } from './hierarchy.ts';
import { hierarchyNodes } from './hierarchy.ts';
import { recordHistory, staleVersion } from './history.ts';
import type { ListAnswer } from './list.ts';
import { countRecords, listRecords } from './list.ts';
import type { ListQuery } from './list_query.ts';
import type { ManyCalls } from './many_calls.ts';
import { manyCalls } from './many_calls.ts';
import type { Option, OptionsQuery } from './options.ts';
import { optionsOf } from './options.ts';
import { ownDefaults } from './own_defaults.ts';
import { bandGaps } from './ranges.ts';
import { readRecord } from './read.ts';
import { relatedGroups } from './related.ts';
import type { AnsweredLine } from './row_trees.ts';
import { nodesAbove, rowTreeOf } from './row_trees.ts';
import { fieldSavedApart, rowsSince } from './save_cells.ts';
import type { Found } from './search.ts';
import { searchRecords } from './search.ts';
import { searchLists } from './search_lists.ts';
import { shapeOf } from './shapes.ts';
import type { SightCalls } from './sight_engine.ts';
import { inSight } from './sight_engine.ts';
import { readSingle } from './single.ts';
import { copyOf } from './copy_of.ts';
import type { TreeNode } from './tree.ts';
import { subordinates, treeNodes } from './tree.ts';
import type { UnitLimits } from './unit.ts';
import { Unit } from './unit.ts';
import type { UnitOfWork, UnitOptions } from './unit_of_work.ts';
import { inUnit } from './unit_of_work.ts';
import type { SavedView } from './views.ts';
import { removeView, saveView, savedViews } from './views.ts';
import { findingsOfTyped, recordAsTyped } from './write.ts';
import type { WriteCalls } from './write_calls.ts';
import { writeCalls } from './write_calls.ts';

type Row = Record<string, unknown>;

/**
 * The generic engine: every record type goes through the same calls. Every statement enforces company and row scope;
 * the routes check which pages and actions a person has (`authorize`).
 */
export interface Engine
  extends SightCalls, ManyCalls, StepCalls, ManyStepCalls, MakeCalls, ClockCalls, BulkCalls, WriteCalls {
  /**
   * One action in one transaction: everything done with the unit's session commits together or not at all. It is
   * retried when the database asks for it, so it must not touch anything outside of the transaction.
   */
  transaction<T>(actor: Session, work: (unit: UnitOfWork) => Promise<T>, options?: UnitOptions): Promise<T>;
  /** The API for functions of modules, within a transaction. */
  unit(unit: UnitOfWork, limits?: UnitLimits): Unit;
  list(session: Session, screen: Screen, query: ListQuery): Promise<ListAnswer>;
  count(session: Session, screen: Screen, query: ListQuery): Promise<{ count: number; capped: boolean }>;
  /** The rows of a list grouped by one field, with their number and sums. */
  groups(session: Session, screen: Screen, query: ListQuery, groups: GroupQuery): Promise<ListGroups>;
  /** The gaps between the bands of a type, as text. */
  gaps(session: Session, screen: Screen): Promise<string[]>;
  /** For types with a board: its columns with counts and sums. */
  board(session: Session, screen: Screen, query: ListQuery): Promise<BoardColumn[]>;
  /** The JSON Schema with which a record chosen in a form describes the value of a field there. @throws AppError 404 */
  shape(session: Session, screen: Screen, field: string, id: number): Promise<JsonSchema>;
  /**
   * The records that refer to a record, counted by type and field, as far as this person sees them. @throws AppError
   * 404
   */
  related(session: Session, screen: Screen, id: number): Promise<RelatedGroup[]>;
  /** The levels of the last approval round of a record that the person may read. @throws AppError 404 */
  approval(session: Session, screen: Screen, id: number): Promise<RecordApproval[]>;
  /**
   * The relations, among those used by the type's actions, in which the person or one of their delegators is to the
   * record.
   */
  standsAs(session: Session, screen: Screen, record: WireRecord): Promise<string[]>;
  /** The fields that the record's state leaves editable for the person; null = all. */
  openFields(session: Session, screen: Screen, record: WireRecord): Promise<Set<string> | null>;
  options(session: Session, screen: Screen, query: OptionsQuery): Promise<Option[]>;
  tree(
    session: Session,
    screen: Screen,
    query: { root: number | null; depth: number | null; q: string },
  ): Promise<TreeNode[]>;
  hierarchy(session: Session, screen: Screen, query: { root: number | null; q: string }): Promise<HierarchyNode[]>;
  /** The ancestors of the records that rows refer to, by column. */
  nodesAbove(
    session: Session,
    field: Field,
    ids: ReadonlyMap<string, readonly number[]>,
  ): Promise<Map<string, RowNode[]>>;
  /** The columns of closed periods of a record, by rows field; null = the type has no closed periods. */
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
  views(session: Session, screen: Screen): Promise<SavedView[]>;
  saveView(session: Session, screen: Screen, id: number | null, input: Row): Promise<SavedView>;
  removeView(session: Session, screen: Screen, id: number): Promise<void>;
  search(session: Session, q: string): Promise<Found[]>;
}

export function createEngine(deps: EngineDeps): Engine {
  const services = withDefaults(deps);
  const { screens, events, notifications, publicLink, personSession, approvals } = services;
  const counts = new CountMemory();
  const announced = announcements(services, counts);
  const around = engineContext(services, announced, {
    unit: (unit, limits) => engine.unit(unit, limits),
    partsOf: (what) => writes.partsOf(what),
  });
  const { context, fillDeps } = around;
  const steps = stepCalls(services, announced, around, (session, screen, id, input) =>
    engine.update(session, screen, id, input, 'action'),
  );
  const writes = writeCalls(services, announced, around, steps.ofWrites);
  const read: Engine['read'] = (session, screen, id) => readRecord(session, screen, screens(session), id);
  const engine: Engine = {
    list: (session, screen, query) => listRecords(session, screen, screens(session), query, counts),
    groups: (session, screen, query, groups) => listGroups(session, screen, screens(session), query, groups),
    count: (session, screen, query) => countRecords(session, screen, screens(session), query, counts),
    gaps: bandGaps,
    board: (session, screen, query) => boardColumns(session, screen, screens(session), query),
    read,
    transaction: inUnit,
    unit: (unit, limits) =>
      new Unit(
        unit,
        {
          engine,
          screens,
          notifications: notifications!,
          events,
          publicLink,
          issue: (own, screen, id, name) =>
            issuePrint(own, { session: own.session, screen, screens: screens(own.session), id }, name),
          personSession,
        },
        limits,
      ),
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
    async beginsWith(session, screen) {
      const own = await ownDefaults(session, screen);
      return Object.fromEntries(Object.entries(own).filter(([name]) => !name.includes('.')));
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
    openFields: (session, screen, record) => openFields(session, screens(session), screen, record),
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
    settingSources: (session, screen) => settingSources(context(session, screen, 'form')),
    views: savedViews,
    saveView,
    removeView,
    search: async (session, q) => [
      ...searchLists(session, screens(session), q),
      ...(await searchRecords(session, screens(session), q)),
    ],
    ...writes.calls,
    ...steps.calls,
    ...manyStepCalls(services, announced, around, {
      ...steps,
      update: (session, screen, id, input) => engine.update(session, screen, id, input, 'action'),
    }),
    ...makeCalls({ screens, unit: around.unit, act: (session, screen, input) => engine.act(session, screen, input) }),
    ...clockCalls(services, around),
    ...bulkCalls({ read, ...writes.calls, ...steps.calls }),
    ...manyCalls({ ...services, ...announced, ...around, refuseRow: writes.refuseRow }),
  };
  return inSight(engine, screens);
}
