import type { Field, FilterExpression, PageType, Screen } from './types.ts';

/** How far a record of a state is: people work on it, it is done, or it is void. */
export type StateKind = 'open' | 'closed' | 'cancelled';

type Colour = NonNullable<NonNullable<Field['options']>[number]['colour']>;

/** What people may change of a record in a state: all, nothing, or these fields (`rows.column` for a column of rows), by relation; `*` is everybody who may edit. */
export type EditRule = boolean | Record<string, string[]>;

export interface State {
  name: string;
  title: string;
  colour: Colour;
  is: StateKind;
  /** Off the usual way: the bar of states shows it only while a record is in it. */
  aside?: true;
  edit: EditRule;
}

/** A named function of a module with what the descriptor hands it. */
export interface NamedUse {
  name: string;
  args: Record<string, unknown>;
}

/** What must hold before a transition: an expression over the record as it will be, or a module's guard. */
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
  /** Null: the record stays in its state. `<back>`: the state that it was in before. */
  to: string | null;
  /** Offered only while this holds for the stored record. */
  when?: string;
  /** The page right and the action code that are needed; absent with `who` absent: the right to edit. */
  right?: { page?: PageType; action?: string };
  /** Who may take it: one of those without "!", none of those with it. */
  who?: string[];
  guard: GuardUse[];
  ask: AskedField[];
  /** Fields and the expressions that they are set to. */
  set: Record<string, string>;
  /** Fills that run again in this transition. */
  refill?: string[];
  effects: NamedUse[];
  confirm?: string;
  done?: string;
  /** The question that is answered in words; what is answered is in the log. */
  reason?: string;
  /** The reason is chosen: one of those of this use, of the type that serves as reason. */
  reasonUse?: string;
  /** Takes back what these transitions did, last first. */
  undo?: string[];
  /** Further records that nobody else may change meanwhile: paths of references. */
  locks?: string[];
  amend?: Amend;
  bulk?: 'each' | 'all';
  /** When the product takes it by itself; nobody else does, unless `who` or `right` says so. */
  auto?: Auto[];
}

/** What a transition is taken by without a person: something made of the record or no longer, a condition after a write, a day, an event, a job or an effect. */
export interface Auto {
  made?: string;
  unmade?: string;
  when?: string;
  date?: AutoDate;
  event?: AutoEvent;
  /** The job or the effect that takes it. */
  by?: string;
}

export type DueUnit = 'minutes' | 'hours' | 'days' | 'working_days';

/** Taken when a day or moment of the record has come. */
export interface AutoDate {
  /** A date, or a moment. */
  field: string;
  /** How much later: a number, or an expression. */
  after: number | string;
  unit: DueUnit;
  when?: string;
}

/** Taken when something happened elsewhere. */
export interface AutoEvent {
  name: string;
  /** Where the record is: `id` of the event's own record, or a path of references from it; or all that refer to it. */
  record: { path: string[] } | { of: string; filter?: FilterExpression };
}

/** Whether the product alone takes a transition. */
export function isProductsOwn({ auto, who, right }: Transition): boolean {
  return auto !== undefined && who === undefined && right === undefined;
}

/** Makes the next revision of a record: a copy in the first state, with the same number. */
export interface Amend {
  /** The field that counts the revisions. */
  revision: string;
  /** The transition by which the copy takes the place of the record; absent: at once. */
  supersede?: string;
  /** What is written to the record when the copy takes its place; `copy.x` is what that has. */
  set: Record<string, string>;
}

/** The copy's reference to the record that it was made of, and whether a revision is the one that counts. */
export const COPIED_FROM = 'copied_from_id';
export const IS_CURRENT = 'is_current';

/** The transition that makes revisions of a type, or undefined. */
export function amending({ workflow }: Pick<Screen, 'workflow'>): (Transition & { amend: Amend }) | undefined {
  return workflow?.transitions.find((one): one is Transition & { amend: Amend } => one.amend !== undefined);
}

/** The number that records of an import may have already, where a transition gives it to others; undefined = none. */
export function openingNumber({ workflow, numberAt }: Screen): string | undefined {
  return workflow?.import && numberAt?.field;
}

/**
 * What an import may say of a new record that people do not write: the state it is opened in, the number that it has
 * already, and what the transitions into those states ask for. Types without `import` have none.
 */
export function openingFields(screen: Screen): string[] {
  const { workflow } = screen;
  if (!workflow?.import) return [];
  const taken = new Set(Object.values(workflow.import));
  const asked = workflow.transitions.flatMap(({ name, ask }) => (taken.has(name) ? ask.map(({ field }) => field) : []));
  return [...new Set([workflow.field, openingNumber(screen) ?? [], asked].flat())];
}

/** Where the reasons of transitions come from: the type, its field of uses, and the one that asks for words besides. */
export interface ReasonSource {
  type: string;
  use: string;
  remark?: string;
}

/** States of a type's records, and the ways between them; the first state is that of new records. */
export interface Workflow {
  field: string;
  /** States that an import may open new records in, and the transition that each takes into it. */
  import?: Record<string, string>;
  states: State[];
  transitions: Transition[];
  /** What a record comes to: a deputy approves up to the limit of the delegation. */
  amount?: string;
  /** Where reasons that are chosen come from. */
  reasons?: ReasonSource;
  /** What runs when a record is added. */
  insert?: { guard: GuardUse[]; effects: NamedUse[] };
}

/** Where a transition without a state of its own leads. */
export const BACK = '<back>';

/** The state that a record is in; new ones are in the first. */
export function stateOf(workflow: Workflow, record: Readonly<Record<string, unknown>> | null): State {
  return workflow.states.find(({ name }) => name === record?.[workflow.field]) ?? workflow.states[0]!;
}

/** The transitions that lead on from a state, in the order of the descriptor. */
export function transitionsFrom(workflow: Workflow, state: string): Transition[] {
  return workflow.transitions.filter(({ from }) => from.includes(state));
}

/** Whether a transition is a decision on what somebody else asked for: it takes the right to approve, and `who` keeps somebody out. */
export function isDecision({ right, who }: Transition): boolean {
  return right?.page === 'approval_screen' && who?.some((one) => one.startsWith('!')) === true;
}

/** The transitions that decide what somebody asked for. */
export function decisionsOf({ workflow }: Screen): Transition[] {
  return workflow?.transitions.filter(isDecision) ?? [];
}

/** Whether a record is in a state that somebody has to decide. */
export function waitsForDecision(screen: Screen, record: Readonly<Record<string, unknown>>): boolean {
  return decisionsOf(screen).some(({ from }) => from.includes(String(record[screen.workflow!.field])));
}

/** One step that a person may take with a record; `blocked` says why not at the moment. */
export interface OfferedStep {
  name: string;
  blocked: string | null;
  /** Fields that whoever approves may change as they do. */
  change?: string[];
  /** Whether whoever decides has to say why, though the step itself does not ask. */
  remark?: true;
}

/** How a relation tells whether somebody is in it with a record. */
export interface Relation {
  name: string;
  /** References from the record to a person; `created_by` and `updated_by` count as such. */
  path: string[];
  /** Not the person named there, but those above in the tree of people, at most so many levels. */
  above?: { levels: number | null };
  /** Whoever took this transition last. */
  did?: string;
  /** Only for records for which this holds. */
  when?: string;
}

/** The state field of a screen with a workflow. */
export function stateField(screen: Screen): Field | undefined {
  return screen.workflow && screen.fields.find(({ name }) => name === screen.workflow!.field);
}
