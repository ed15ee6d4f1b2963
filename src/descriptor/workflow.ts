import type { Field, FilterExpression, PageType, Screen } from './types.ts';

/** The stage of a state: people work on the record, it is done, or it is void. */
export type StateKind = 'open' | 'closed' | 'cancelled';

type Colour = NonNullable<NonNullable<Field['options']>[number]['colour']>;

/**
 * What people may change in a record in a state: everything, nothing, or these fields (`rows.column` for a column of
 * rows), by relation; `*` is everybody who may edit.
 */
export type EditRule = boolean | Record<string, string[]>;

export interface State {
  name: string;
  title: string;
  colour: Colour;
  is: StateKind;
  /** Outside the normal path: the bar of states shows it only while a record is in it. */
  aside?: true;
  edit: EditRule;
}

/** A named function of a module with its arguments from the descriptor. */
export interface NamedUse {
  name: string;
  args: Record<string, unknown>;
}

/** A condition for a transition: an expression on the resulting record, or a module's guard. */
export type GuardUse = { assert: string; message: string; field?: string } | NamedUse;

export interface AskedField {
  field: string;
  required: boolean;
}

export interface Transition {
  name: string;
  title: string;
  icon?: string;
  from: string[];
  /** Null: the record stays in its state. `<back>`: its previous state. */
  to: string | null;
  /** Offered only while the stored record meets this condition. */
  when?: string;
  /** The page right and the action code required; if `who` is absent too: the right to edit. */
  right?: { page?: PageType; action?: string };
  /** Who may take it: one of those without "!", none of those with it. */
  who?: string[];
  /** Relations of the usual approvers; the refusal of a person's own request names the first one. */
  decides?: string[];
  guard: GuardUse[];
  ask: AskedField[];
  /** Fields with the expressions they are set to. */
  set: Record<string, string>;
  /** Fills that run again in this transition. */
  refill?: string[];
  effects: NamedUse[];
  confirm?: string;
  done?: string;
  /** The question answered as text; the answer is in the log. */
  reason?: string;
  /** The reason is chosen: one with this use, from the type that serves as reason. */
  reasonUse?: string;
  /** Undoes what these transitions did, last first. */
  undo?: string[];
  /** Further records that are locked meanwhile: paths of references. */
  locks?: string[];
  amend?: Amend;
  bulk?: 'each' | 'all';
  /** When the product takes it automatically; people cannot take it, unless `who` or `right` allows it. */
  auto?: Auto[];
}

/**
 * The trigger of an automatic transition: a created or removed target, a condition after a write, a date, an event, a
 * job or an effect.
 */
export interface Auto {
  made?: string;
  unmade?: string;
  when?: string;
  date?: AutoDate;
  event?: AutoEvent;
  /** The job or the effect that takes it; `import`: an import of past records. */
  by?: string;
  /** Of `import`: the field with the moment at which it was taken. */
  at?: string;
}

/** What takes a transition that only an import takes. */
export const BY_IMPORT = 'import';

/** How an import takes a transition that nobody else may take; undefined = it is like others. */
export function importOf({ auto }: Transition): Auto | undefined {
  return auto?.find(({ by }) => by === BY_IMPORT);
}

export type DueUnit = 'minutes' | 'hours' | 'days' | 'working_days';

/** Triggered by a date or time of the record. */
export interface AutoDate {
  /** A date, or a moment. */
  field: string;
  /** The delay: a number, or an expression. */
  after: number | string;
  unit: DueUnit;
  when?: string;
}

/** Triggered by an event elsewhere. */
export interface AutoEvent {
  name: string;
  /**
   * The affected record: `id` of the event's own record, or a path of references from it; or all records that refer to
   * it.
   */
  record: { path: string[] } | { of: string; filter?: FilterExpression };
}

/** Whether people cannot take a transition: only the product does, or an import of theirs. */
export function isProductsOwn(transition: Transition): boolean {
  const { auto, who, right } = transition;
  return (auto !== undefined && who === undefined && right === undefined) || importOf(transition) !== undefined;
}

/** Creates the next revision of a record: a copy in the first state, with the same number. */
export interface Amend {
  /** The field that counts the revisions. */
  revision: string;
  /** The transition with which the copy replaces the record; absent: at once. */
  supersede?: string;
  /** Fields set on the record when the copy replaces it; `copy.x` is the copy's value. */
  set: Record<string, string>;
}

/** The copy's reference to its original, and whether a revision is the current one. */
export const COPIED_FROM = 'copied_from_id';
export const IS_CURRENT = 'is_current';

/** The transition that creates revisions of a type, or undefined. */
export function amending({ workflow }: Pick<Screen, 'workflow'>): (Transition & { amend: Amend }) | undefined {
  return workflow?.transitions.find((one): one is Transition & { amend: Amend } => one.amend !== undefined);
}

/** The existing number that imported records may have, if a transition assigns it to others; undefined = none. */
export function openingNumber({ workflow, numberAt }: Screen): string | undefined {
  return workflow?.import && numberAt?.field;
}

/**
 * Values of a new record that only an import may set: its initial state, its existing number, and the fields that the
 * transitions into those states ask for. None for types without `import`.
 */
export function openingFields(screen: Screen): string[] {
  const { workflow } = screen;
  if (!workflow?.import) return [];
  const taken = new Set(Object.values(workflow.import).flat());
  const asked = workflow.transitions.flatMap(({ name, ask }) => (taken.has(name) ? ask.map(({ field }) => field) : []));
  return [...new Set([workflow.field, openingNumber(screen) ?? [], asked].flat())];
}

/** The source of transition reasons: the type, its field of uses, and the field that requires a remark. */
export interface ReasonSource {
  type: string;
  use: string;
  remark?: string;
}

/** A change that was refused because somebody else had taken the record further. */
export interface LateChange {
  /** The states in which it is too late. */
  in: string[];
  /** The relations of the people whose change is kept. */
  who: string[];
  effects: NamedUse[];
  /** The message instead of the refusal. */
  says: string;
}

/** The states of a type's records, and the transitions between them; new records are in the first state. */
export interface Workflow {
  field: string;
  /** States in which an import may create new records, each with the transitions that lead to it. */
  import?: Record<string, string[]>;
  states: State[];
  transitions: Transition[];
  /** The amount of a record: a deputy approves up to the limit of the delegation. */
  amount?: string;
  /** The source of the reasons to choose from. */
  reasons?: ReasonSource;
  /** What runs when a record is added. */
  insert?: { guard: GuardUse[]; effects: NamedUse[] };
  /** What runs when a change is refused because somebody else came first. */
  late?: LateChange;
  /** Types that its guards and effects read, besides those that the record refers to. */
  reads?: string[];
}

/** The target of a transition without its own state. */
export const BACK = '<back>';

/** The state of a record; new ones are in the first. */
export function stateOf(workflow: Workflow, record: Readonly<Record<string, unknown>> | null): State {
  return workflow.states.find(({ name }) => name === record?.[workflow.field]) ?? workflow.states[0]!;
}

/** The transitions that start from a state, in the order of the descriptor. */
export function transitionsFrom(workflow: Workflow, state: string): Transition[] {
  return workflow.transitions.filter(({ from }) => from.includes(state));
}

/**
 * Whether a transition decides a request of somebody else: it requires the right to approve, and `who` excludes people.
 */
export function isDecision({ right, who }: Transition): boolean {
  return right?.page === 'approval_screen' && who?.some((one) => one.startsWith('!')) === true;
}

/** The transitions that decide a request. */
export function decisionsOf({ workflow }: Screen): Transition[] {
  return workflow?.transitions.filter(isDecision) ?? [];
}

/** Whether the state of a record awaits a decision. */
export function waitsForDecision(screen: Screen, record: Readonly<Record<string, unknown>>): boolean {
  return decisionsOf(screen).some(({ from }) => from.includes(String(record[screen.workflow!.field])));
}

/** A transition that a person may take with a record; `blocked` says why it is currently not possible. */
export interface OfferedStep {
  name: string;
  blocked: string | null;
  /** Fields that the approver may change while approving. */
  change?: string[];
  /** Whether the person who decides must give a reason although the transition itself does not ask for one. */
  remark?: true;
}

/** The definition of a relation between people and a record. */
export interface Relation {
  name: string;
  /** References from the record to a person; `created_by` and `updated_by` are allowed too. */
  path: string[];
  /** Not that person but their superiors, up to this number of levels. */
  above?: { levels: number | null };
  /** The person who last took this transition. */
  did?: string;
  /** Only for records that meet this condition. */
  when?: string;
}

/** The state field of a screen with a workflow. */
export function stateField(screen: Screen): Field | undefined {
  return screen.workflow && screen.fields.find(({ name }) => name === screen.workflow!.field);
}
