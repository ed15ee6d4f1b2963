import type { Band } from '../../domain/sla_clock.ts';
import type { FunctionNames } from '../../descriptor/function_names.ts';
import type { FieldError, JsonSchema, Screen, WireRecord } from '../../descriptor/types.ts';
import type { MenuChange } from '../db/tenant.ts';
import type { Notifications } from '../services/notifications/notify.ts';
import type { Session } from '../access/context.ts';
import type { Tenant } from '../db/tenant.ts';
import type { Ref } from './events/ref.ts';
import type { ReportSource } from './reports/report_source.ts';
import type { FileStore } from '../services/files/store.ts';
import type { Unit } from './records/unit.ts';

type Row = Record<string, unknown>;

/** What this server's own configuration makes of a setting. */
export interface ServerDecision {
  /** The variable that decides. */
  by: string;
  /** The value that holds, whatever is chosen. */
  value?: unknown;
  /** More than this is not taken, whatever is chosen. */
  max?: number;
}

/** How a run that sends reports goes on: `progress` ends it where it was stopped, or other clients have their turn first. */
export interface MailRun {
  now: number;
  progress(done: number): Promise<void>;
}

/** What the functions of modules use beside records. */
export interface Services {
  files: FileStore;
  notifications: Notifications;
  /** Which settings this server's own configuration decides or limits. */
  serverDecisions: Record<string, ServerDecision>;
  /** Domains below which every client has its own. */
  baseDomains: string[];
  /** The product's screens. */
  screens(): ReadonlyMap<string, Screen>;
  /** Under which address a client's pages are. */
  addressOf(tenant: Tenant): string;
  /** Sends the reports of a client that are due by mail. @returns how many mails */
  mailDueReports(tenant: Tenant, run: MailRun): Promise<number>;
  /** What is wrong with a change of the menu; `isPage` says which addresses are served beside those of the menu. */
  menuProblems(change: MenuChange, isPage: (address: string) => boolean): FieldError[];
}

/** What a named function is called with. */
export interface Call {
  unit: Unit;
  services: Services;
  /** What the descriptor hands it, in place. */
  args: Row;
  /** The record type. */
  type: string;
  /** The record as it is stored now. */
  record: WireRecord;
  /** As it was before the act; null where it is new. */
  before: WireRecord | null;
  /** What the person was asked. */
  input: Row;
}

/** Something that a transition does beside changing its record. */
export interface Effect {
  /** `x-expr`, `x-field` and `x-type` mark strings that are no text; an expression comes as its value. */
  args?: JsonSchema;
  /** It goes beyond the rights of the person, by `unit.elevated()`. */
  elevated?: true;
  /** It runs after the number is given: it adds rows, sets plain fields of the record, emits and enqueues, and no more. */
  late?: true;
  /** Records that it changes: they are locked before anything is looked at. `done`: what `apply` answered, when it is undone. */
  locks?(call: Call, done?: unknown): Promise<Ref[]>;
  /** @returns what `reverse` needs to take it back */
  apply(call: Call): Promise<unknown>;
  /** Takes back what it did by what differs, never by old values, and refuses what later acts have used. */
  reverse?(call: Call, result: unknown): Promise<void>;
}

/** Something that must hold before a transition; what it finds refuses it. */
export interface Guard {
  args?: JsonSchema;
  /** It looks beyond the rights of the person, by `unit.elevated()`. */
  elevated?: true;
  check(call: Call): Promise<FieldError[]>;
}

/** Fields that follow from others by a function. */
export interface Fill {
  run(call: Call): Promise<Row>;
}

/** What an action is called with. */
export interface ActionCall {
  unit: Unit;
  /** What was asked before. */
  input: Row;
  /** The record, as it is stored or as it stands in the form; null = it is done to a selection or to the list. */
  record: WireRecord | null;
  /** The records of a selection. */
  records: WireRecord[];
  /** Places of the rows that are selected in the form; none = all of them. */
  rows: number[];
  /** The values stand in a form: what it stores itself is rolled back. */
  isForm: boolean;
}

/** What a button of a descriptor calls. */
export interface Action {
  /** @returns fields that are set; of an action on rows their new list; what is said when it is done */
  run(call: ActionCall): Promise<{ set?: Row; rows?: Row[]; done?: string }>;
}

/** What a clock has to run, as it stands for one record from now on. */
export interface ClockTarget {
  /** Null: there is no target. */
  minutes: number | null;
  /** The number of a calendar, or always open; default: that of the branch. */
  calendar?: number | 'always' | null;
  /** In place of the descriptor's own. */
  bands?: Band[];
}

/** Says what a clock of a record has to run. */
export interface Target {
  run(call: Call): Promise<ClockTarget>;
}

/** Something that happened, as it was committed. */
export interface DomainEvent {
  id: number;
  name: string;
  /** The record it is about. */
  of: Ref | null;
  company: number | null;
  payload: Row;
  at: string;
  /** Who did it; null = nobody by name. */
  by: number | null;
  /** What made it. */
  cause: string;
}

/** What follows from an event, in a unit of work of its own, after the commit. */
export interface Subscriber {
  /** `delivery` names this one for the outside world: rows are written once, other acts at least once. */
  run(call: { event: DomainEvent; unit: Unit; delivery: number }): Promise<void>;
}

/** What a job's function is called with. */
export interface JobCall {
  /** The product itself, at the company that the run is for. */
  actor: Session;
  services: Services;
  /** What the descriptor hands it. */
  args: Row;
  /** The moment it was due, by the clock of the client, company or branch: 2026-11-23T18:00+05:30. */
  due: string;
  /** The company and branch of the run, where the job runs for each. */
  company: number | null;
  branch: number | null;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /**
   * Of a job that does not go by `each`: says how many steps it has done, and ends the run where it was stopped or other
   * clients have their turn first. What it has done has to be kept by then.
   */
  progress(steps: number): Promise<void>;
  /**
   * Works step by step, each batch in a unit of its own, until `next` gives none. What `work` answers is the cursor: it is
   * stored in the unit of its batch, and `next` is given it, also when the run begins again after a failure, a stop or the
   * end of its process. So what a batch does is done once. `total`: how many steps there are, if known.
   * @returns how many steps were done
   */
  each<T>(
    next: (unit: Unit, after: unknown) => Promise<readonly T[]>,
    work: (unit: Unit, batch: readonly T[]) => Promise<unknown>,
    total?: (unit: Unit) => Promise<number>,
  ): Promise<number>;
}

/** What a job of `jobs.json` does. What it does outside of `each` may be done again. */
export interface Job {
  args?: JsonSchema;
  /** A failure concerns whoever looks after the platform too. */
  concernsPlatform?: true;
  /** Its steps go beyond the rights of people, by `unit.elevated()`. */
  elevated?: true;
  /** @returns what was done, for the log */
  run(call: JobCall): Promise<string | undefined>;
}

/** What a type does about the answers of its records to a questionnaire. */
export interface Answering {
  /** Why a record takes no answers now; null = it does. */
  closed?(session: Session, record: WireRecord): Promise<string | null>;
  /** What follows from answers, in the unit of work that keeps them; the record is locked. */
  kept(session: Session, screen: Screen, record: WireRecord): Promise<void>;
}

/** What a module brings to the product, by name; in a descriptor a name stands as `<module>.<name>`. */
export interface Module {
  name: string;
  effects?: Record<string, Effect>;
  guards?: Record<string, Guard>;
  fills?: Record<string, Fill>;
  actions?: Record<string, Action>;
  targets?: Record<string, Target>;
  /** What follows from answers to questionnaires, by the type of the record that answers. */
  answering?: Record<string, Answering>;
  /** What gives the rows of tiles. */
  sources?: Record<string, ReportSource>;
  /** What jobs of `jobs.json` do. */
  jobs?: Record<string, Job>;
  /** Its jobs and calls in code that take steps of records, `<module>.<name>` in a descriptor. */
  stepJobs?: readonly string[];
  /** Events that its functions emit, as `<module>.<name>`, with the form of what they carry. */
  emits?: Record<string, JsonSchema>;
  /** What it does about events, by their full name; of a type also `<type>.created`, `changed`, `removed`, `<transition>`. */
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

/** The functions of all modules, by the names that descriptors call them. */
export class NamedFunctions {
  readonly effects = new Map<string, Effect>();
  readonly guards = new Map<string, Guard>();
  readonly fills = new Map<string, Fill>();
  readonly actions = new Map<string, Action>();
  readonly targets = new Map<string, Target>();
  readonly sources = new Map<string, ReportSource>();
  readonly jobs = new Map<string, Job>();
  readonly answering = new Map<string, Answering>();
  /** What they use beside records; null where they are only known by name. */
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
