import type { NamedFigure } from '../../domain/dashboard.ts';
import type { Band } from '../../domain/sla_clock.ts';
import type { FunctionNames } from '../../descriptor/function_names.ts';
import type { FieldError, JsonSchema, Screen, WireRecord } from '../../descriptor/types.ts';
import type { MenuChange } from '../db/tenant.ts';
import type { Notifications } from '../services/notifications/notify.ts';
import type { Session } from '../access/context.ts';
import type { Tenant } from '../db/tenant.ts';
import type { Ref } from './events/ref.ts';
import type { RecordFigure } from './record_figure.ts';
import type { ReadCollections } from './reports/read_collections.ts';
import type { ReportSource } from './reports/report_source.ts';
import type { EnclosingContent } from '../services/print/print_content.ts';
import type { FileStore } from '../services/files/store.ts';
import type { Unit } from './records/unit.ts';

type Row = Record<string, unknown>;

/** How the configuration of this server affects a setting. */
export interface ServerDecision {
  /** The environment variable that decides. */
  by: string;
  /** The value that applies, whatever is chosen. */
  value?: unknown;
  /** The maximum that is accepted, whatever is chosen. */
  max?: number;
}

/** Controls a run that sends reports: `progress` ends it if it was stopped or if other clients are waiting. */
export interface MailRun {
  now: number;
  progress(done: number): Promise<void>;
}

/** A record of a platform list as it is offered to clients: the fields and rows, with the platform's ids. */
export interface LibraryRecord {
  id: number;
  code: string;
  values: Row;
}

/** The services that functions of modules use besides records. */
export interface Services extends ReadCollections {
  files: FileStore;
  notifications: Notifications;
  /** The settings that the configuration of this server decides or limits. */
  serverDecisions: Record<string, ServerDecision>;
  /** The domains under which each client has its own subdomain. */
  baseDomains: string[];
  /** The figures of people that modules provide, by name. */
  recordFigures: ReadonlyMap<string, RecordFigure>;
  /** The product's screens. */
  screens(): ReadonlyMap<string, Screen>;
  /** What a list of the platform offers this client, by its industry. The list has a field `code`. */
  libraryRecords(tenant: Tenant, type: string): Promise<LibraryRecord[]>;
  /** The address under which a client's pages are served. */
  addressOf(tenant: Tenant): string;
  /**
   * A secret of a record as it was entered; null = none, or stored with another key. `place` is `type.field`.
   */
  openSecret(stored: string | null, place: string): string | null;
  /** The PDF of a content. @throws AppError 503 if the queue is full */
  pdf(tenant: Tenant, content: EnclosingContent): Promise<Buffer>;
  /** Sends the reports of a client that are due by mail. @returns how many mails */
  mailDueReports(tenant: Tenant, run: MailRun): Promise<number>;
  /** A dashboard tile as the person sees it now; null if they have no such tile, or it has nothing that can be written down. */
  figure(session: Session, of: { dashboard: string; tile: string; filters: string }): Promise<NamedFigure | null>;
  /** Checks a change of the menu for errors; `isPage` tells which addresses are served besides those of the menu. */
  menuProblems(change: MenuChange, isPage: (address: string) => boolean): FieldError[];
}

/** The arguments of a named function. */
export interface Call {
  unit: Unit;
  services: Services;
  /** The arguments from the descriptor, with their values filled in. */
  args: Row;
  /** The record type. */
  type: string;
  /** The record as it is stored now. */
  record: WireRecord;
  /** The record before the transaction; null if it is new. */
  before: WireRecord | null;
  /** The answers of the person. */
  input: Row;
}

/** What a transition does besides changing its record. */
export interface Effect {
  /** `x-expr`, `x-field` and `x-type` mark strings that are not plain text; an expression is passed as its value. */
  args?: JsonSchema;
  /** It exceeds the rights of the person, through `unit.elevated()`. */
  elevated?: true;
  /** It runs after the number is assigned: it may only add rows, set plain fields of the record, emit and enqueue. */
  late?: true;
  /**
   * The records that it changes: they are locked before anything is read. `done`: what `apply` returned, when it is
   * undone.
   */
  locks?(call: Call, done?: unknown): Promise<Ref[]>;
  /** @returns what `reverse` needs to undo it */
  apply(call: Call): Promise<unknown>;
  /**
   * The same for a transition that the product takes with many records at once; without it they are done one by one.
   * The calls have the same unit and are never none.
   */
  applyMany?(calls: readonly Call[]): Promise<void>;
  /**
   * Undoes the effect by applying the difference, never by restoring old values; refuses if later transactions used the
   * result.
   */
  reverse?(call: Call, result: unknown): Promise<void>;
}

/** A condition for a transition; what it reports refuses the transition. */
export interface Guard {
  args?: JsonSchema;
  /** It reads beyond the rights of the person, through `unit.elevated()`. */
  elevated?: true;
  check(call: Call): Promise<FieldError[]>;
}

/** Fields that a function computes from others. */
export interface Fill {
  run(call: Call): Promise<Row>;
}

/** The arguments of an action. */
export interface ActionCall {
  unit: Unit;
  services: Services;
  /** What was asked before. */
  input: Row;
  /** The record, as stored or as shown in the form; null if the action applies to a selection or to the list. */
  record: WireRecord | null;
  /** The records of a selection. */
  records: WireRecord[];
  /** Positions of the rows selected in the form; none = all rows. */
  rows: number[];
  /** The values come from a form: anything the action stores itself is rolled back. */
  isForm: boolean;
  /**
   * The record from which the form's new record is being created; its rows name the rows they come from in `_source`.
   */
  madeFrom: { type: string; id: number } | null;
}

/** What a button of a descriptor calls. */
export interface Action {
  /** @returns the fields that are set; for an action on rows, their new list; the message shown afterwards */
  run(call: ActionCall): Promise<{ set?: Row; rows?: Row[]; done?: string }>;
}

/** The target of a clock for one record from now on. */
export interface ClockTarget {
  /** Null: no target. */
  minutes: number | null;
  /** The id of a calendar, or always open; default: the calendar of the branch. */
  calendar?: number | 'always' | null;
  /** Replaces the bands of the descriptor. */
  bands?: Band[];
}

/** Returns the target of a clock for a record. */
export interface Target {
  run(call: Call): Promise<ClockTarget>;
}

/** A committed event. */
export interface DomainEvent {
  id: number;
  name: string;
  /** The record it is about. */
  of: Ref | null;
  company: number | null;
  payload: Row;
  at: string;
  /** The person who caused it; null = nobody in particular. */
  by: number | null;
  /** What made it. */
  cause: string;
}

/** Handles an event after the commit, in its own transaction. */
export interface Subscriber {
  /**
   * `delivery` identifies this delivery for external systems: rows are written exactly once, other effects at least
   * once.
   */
  run(call: { event: DomainEvent; unit: Unit; delivery: number }): Promise<void>;
}

/** What a job's function is called with. */
export interface JobCall {
  /** A session of the product itself, in the company of the run. */
  actor: Session;
  services: Services;
  /** The arguments from the descriptor. */
  args: Row;
  /** The scheduled time, in the time zone of the client, company or branch: 2026-11-23T18:00+05:30. */
  due: string;
  /** The days that it covers: for a job with one run a day, also those on which no server ran. */
  days: readonly string[];
  /** The company and branch of the run, where the job runs for each. */
  company: number | null;
  branch: number | null;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /**
   * For a job that does not use `each`: reports how many steps are done, and ends the run if it was stopped or if other
   * clients are waiting. The work done must have been stored by then.
   */
  progress(steps: number): Promise<void>;
  /**
   * Works step by step, each batch in its own transaction, until `next` returns nothing. `work` returns the cursor: it
   * is stored in the transaction of its batch and passed to `next`, also when the run resumes after a failure, a stop
   * or the end of its process. So each batch is processed once. Calls that run at the same time use a database
   * connection each; they have to start in the same order in every run. `total`: the number of steps, if known.
   * @returns the number of steps done
   */
  each<T>(
    next: (unit: Unit, after: unknown) => Promise<readonly T[]>,
    work: (unit: Unit, batch: readonly T[]) => Promise<unknown>,
    total?: (unit: Unit) => Promise<number>,
  ): Promise<number>;
}

/** The function of a job in `jobs.json`. Work outside of `each` may be repeated. */
export interface Job {
  args?: JsonSchema;
  /** Failures are also reported to the platform administrators. */
  concernsPlatform?: true;
  /** Its steps exceed the rights of people, through `unit.elevated()`. */
  elevated?: true;
  /** @returns what was done, for the log */
  run(call: JobCall): Promise<string | undefined>;
}

/** How a type handles the answers of its records to a questionnaire. */
export interface Answering {
  /** Why a record does not accept answers now; null = it does. */
  closed?(session: Session, record: WireRecord): Promise<string | null>;
  /** Runs after answers are saved, in the same transaction; the record is locked. */
  kept(session: Session, screen: Screen, record: WireRecord): Promise<void>;
}

/**
 * Checks that the descriptor cannot express. Runs inside every create and update, with the other checks; the findings
 * are reported together. `screens`: the product's, as customised by the client.
 */
export type RecordCheck = (
  session: Session,
  record: Record<string, unknown>,
  stored: WireRecord | null,
  screens: ReadonlyMap<string, Screen>,
  services: Services,
) => FieldError[] | Promise<FieldError[]>;

/** What a module adds to the product, by name; descriptors refer to it as `<module>.<name>`. */
export interface Module {
  name: string;
  effects?: Record<string, Effect>;
  guards?: Record<string, Guard>;
  /** Checks of records of other modules, by type: they refuse a change that this module could not follow. */
  checks?: Record<string, RecordCheck>;
  fills?: Record<string, Fill>;
  actions?: Record<string, Action>;
  targets?: Record<string, Target>;
  /** Handlers of answers to questionnaires, by the type of the answering record. */
  answering?: Record<string, Answering>;
  /** The functions that return the rows of tiles. */
  sources?: Record<string, ReportSource>;
  /** The functions of jobs in `jobs.json`. */
  jobs?: Record<string, Job>;
  /** Figures of people, by a name that no other module uses. */
  figures?: Record<string, RecordFigure>;
  /** Jobs and calls in code that take transitions of records; descriptors refer to them as `<module>.<name>`. */
  stepJobs?: readonly string[];
  /** The events that its functions emit, as `<module>.<name>`, with the schema of their payload. */
  emits?: Record<string, JsonSchema>;
  /**
   * Its subscribers, by the full name of the event; for a type also `<type>.created`, `changed`, `removed`,
   * `<transition>`.
   */
  on?: Record<string, Subscriber>;
}

/** The names of the functions of modules, for the checks of descriptors. */
export function functionNames(modules: readonly Module[]): FunctionNames {
  const functions = new NamedFunctions(modules);
  return {
    guards: new Set(functions.guards.keys()),
    effects: new Set(functions.effects.keys()),
    fills: new Set(functions.fills.keys()),
    actions: new Set(functions.actions.keys()),
    targets: new Set(functions.targets.keys()),
    sources: new Set(functions.sources.keys()),
    jobs: new Set(
      modules.flatMap(({ name, jobs = {}, stepJobs = [] }) =>
        [...Object.keys(jobs), ...stepJobs].map((one) => `${name}.${one}`),
      ),
    ),
    scheduled: new Map([...functions.jobs].map(([name, { args }]) => [name, args ? { args } : {}])),
    events: new Set(modules.flatMap(({ name, emits = {} }) => Object.keys(emits).map((one) => `${name}.${one}`))),
    described: {
      effects: new Map(
        [...functions.effects].map(([name, { args, reverse }]) => [
          name,
          { ...(args && { args }), reverses: reverse !== undefined },
        ]),
      ),
      guards: new Map([...functions.guards].map(([name, { args }]) => [name, args ? { args } : {}])),
    },
  };
}

/** The functions of all modules, by the names used in descriptors. */
export class NamedFunctions {
  readonly effects = new Map<string, Effect>();
  readonly guards = new Map<string, Guard>();
  readonly fills = new Map<string, Fill>();
  readonly actions = new Map<string, Action>();
  readonly targets = new Map<string, Target>();
  readonly sources = new Map<string, ReportSource>();
  readonly jobs = new Map<string, Job>();
  readonly answering = new Map<string, Answering>();
  /** The services they use besides records; null if only the names are known. */
  readonly services: Services | null;

  constructor(modules: readonly Module[], services: Services | null = null) {
    this.services = services;
    for (const { name, effects = {}, guards = {}, fills = {}, actions = {}, ...module } of modules) {
      const { targets = {}, sources = {}, jobs = {}, answering = {} } = module;
      for (const [type, one] of Object.entries(answering)) this.answering.set(type, one);
      for (const [one, effect] of Object.entries(effects)) this.effects.set(`${name}.${one}`, effect);
      for (const [one, guard] of Object.entries(guards)) this.guards.set(`${name}.${one}`, guard);
      for (const [one, fill] of Object.entries(fills)) this.fills.set(`${name}.${one}`, fill);
      for (const [one, action] of Object.entries(actions)) this.actions.set(`${name}.${one}`, action);
      for (const [one, target] of Object.entries(targets)) this.targets.set(`${name}.${one}`, target);
      for (const [one, source] of Object.entries(sources)) this.sources.set(`${name}.${one}`, source);
      for (const [one, job] of Object.entries(jobs)) this.jobs.set(`${name}.${one}`, job);
    }
  }
}
