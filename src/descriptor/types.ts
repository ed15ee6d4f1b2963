import type { AddressTarget } from './address_target.ts';
import type { Letterhead, Terms } from './prints.ts';

/**
 * The shapes everything else speaks: a descriptor as written in a file, and a
 * screen as compiled from it. Data only; no behaviour lives here.
 */

/** What the engine needs a type for: accounts that sign in, members of staff with the account that is theirs. */
export type Serves =
  | 'account'
  | 'customer'
  | 'item'
  | { member: { account: string } }
  | { reason: { use: string; remark?: string } }
  | { company: { letterhead: Letterhead } }
  | { branch: { letterhead: Letterhead } }
  | { terms: Terms }
  | { series: NumberSeriesFields }
  | { prints: PrintDesignFields };

/** The fields of the type in which clients write patterns of numbers of their own. */
export interface NumberSeriesFields {
  type: string;
  place: string;
  pattern: string;
  company: string;
}

/** The fields of the type in which clients write how documents are printed. */
export interface PrintDesignFields {
  /** The print, `quotation.letter`. */
  document: string;
  company: string;
  paper: string;
  landscape: string;
  /** The rows of blocks (`own_prints.ts`). */
  blocks: string;
  /** The field and the value of designs that are in use. */
  used: { field: string; is: string };
}

export type PageType = 'landing' | 'add_screen' | 'edit_screen' | 'view_screen' | 'approval_screen' | 'transfer_screen';

export type Scope = 'platform' | 'tenant' | 'entity';

/** What a screen looks like when it opens. `master` and `document` share grid and form. */
export type Kind = 'master' | 'document' | 'settings' | 'view';

/** A JSON Schema 2020-12 object, with our `x-` words. */
export type JsonSchema = { [key: string]: unknown } & {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
};

/** The words of a descriptor, each declared by its file in `words/`. */
export interface WrittenWords {
  plural?: string;
}

/** The parts of a compiled screen, each declared by the file of its word in `words/`. */
export interface ScreenWords {
  plural: string;
}

/** The looks of a list, each declared by its file in `words/looks/`. */
// oxlint-disable-next-line no-empty-object-type -- filled by declaration merging
export interface WrittenLooks {}

/** The compiled looks of a list, each declared by its file in `words/looks/`. */
// oxlint-disable-next-line no-empty-object-type -- filled by declaration merging
export interface ScreenLooks {}

/** A way to show a list beside its grid. */
export type LookName = keyof ScreenLooks & keyof WrittenLooks;

/** One file of `schemas/<module>/<name>.json`, as its author wrote it. */
export interface Descriptor extends WrittenWords {
  $schema: string;
  /** Default master. */
  kind?: Kind;
  /** Singular, as in "Add branch". */
  title: string;
  /** Of parts none: theirs is that of what they are part of. */
  access?: {
    /** SCN_ codes, any of which counts. */
    screen: string | string[];
    /** Product suffixes (FMS, PMS …), any of which counts; none = every tenant. */
    product?: string | string[];
    /** Module flags, any of which counts; default MASTERS. */
    module?: string | string[];
    /** Action code needed to write, e.g. CREATE_MASTERS (default for masters). null = none. */
    action?: string | null;
    /** Route flagged show-to-non-admin: without a screen right the user gets own rows only. */
    everyone?: boolean;
    /** Flagged common: shown on the admin host. */
    common?: boolean;
  };
  /** Where rows live. Default tenant. */
  scope?: Scope;
  /** JSON Schema of the record. */
  schema: JsonSchema;
}

/** A key that binds only records for which a filter holds; no fields = at most one such record. */
export interface WrittenKey {
  key: string[];
  when: FilterExpression;
  /** Said instead of the usual refusal. */
  message?: string;
}

/** `valid` and `bands` as they are written. */
export interface WrittenRange {
  from: string;
  to: string;
  key?: string[];
  /** The ranges are those of this rows field, across all records. */
  rows?: string;
  when?: FilterExpression;
  /** Bands: how far behind the end of one the next begins. Default 1 for whole numbers, else 0. */
  step?: number;
}

/** A key among the records in use for which `when` holds. */
export interface ConditionalKey extends WrittenKey {
  emptyEqual: boolean;
}

export type RangeWord = 'valid' | 'bands';

/** Ranges that may not overlap among those with the same values in `key`, where empty equals empty. */
export interface RangeKey {
  word: RangeWord;
  from: string;
  to: string;
  key: string[];
  rows?: string;
  when?: FilterExpression;
  /** How many ranges of the same fields come before it, under other conditions. */
  no?: number;
  /** How far behind the end of one range the next one begins, as an exact decimal. */
  step: string;
  /** Of rows: nothing may lie between two ranges. */
  gapless?: boolean;
}

/** How many records of type `of` refer to a record, by their field `by` ("rows_field.column" of child rows). */
export interface ReferrerCount {
  title?: string;
  of: string;
  by: string;
  /** Only records for which this holds. */
  filter?: FilterExpression;
}

/** Who alone sees a record. */
export interface Personal {
  owner: string;
  when?: Record<string, string>;
  /** Records that these people see too, beside the owner; also those whose role shows their own records alone. */
  shared?: { with: string[]; when: Record<string, string> };
}

/** A date by which something is to be done, and who is to do it. */
export interface DueDate {
  /** What the rules call it. */
  event: string;
  /** Where the rules list it; default: by the type itself. */
  module?: string;
  title: string;
  /** A date of the record, or `rows.column`: then each row falls due by itself. */
  date: string;
  /** Only records, or rows, for which this holds. */
  open?: FilterExpression;
  openRows?: FilterExpression;
  /** By part in the record: the reference to a user or an employee; `rows.column` of a row; `id` of an employee's own record. */
  people: Partial<Record<DuePart, string>>;
}

export type DuePart = 'assignee' | 'requester' | 'owner' | 'approver';

/** A check across fields; `assert` is an expression (docs/descriptors.md), true = valid. */
export interface Rule {
  assert: string;
  message: string;
  field?: string;
  /** Child rows field: the rule is checked for each row. */
  rows?: string;
}

/**
 * Something done to one record: `to` opens an address (`:id` is the record's), `call` posts to `/tapi/<type>/<id>/<call>`.
 * The server decides again in the call.
 */
export interface RecordAction {
  title: string;
  icon?: string;
  to?: string;
  call?: string;
  /** A function of a module, called by POST /tapi/<type>/action/<run>. */
  run?: string;
  /** What the browser does with a record, without the server. */
  browser?: BrowserAction;
  /** Of `browser`, the field whose value it takes. */
  of?: string;
  /** Of `run`, what it is done with: `record`, `rows:<field>`, `selection` or `list`. */
  on?: string;
  /** Of `run`, what is asked before. */
  params?: Field[];
  /** Offered only if this expression holds. */
  when?: string;
  /** Asked before the call. */
  confirm?: string;
  /** What the person must write before the call: name in the call's body, and the question. */
  ask?: Record<string, string>;
  /** Done to the whole list, not to a record: POST /tapi/<type>/<call>. */
  list?: boolean;
  /** Offered for several records of the list as well: POST /tapi/<type>/bulk/<call>. */
  bulk?: boolean;
  /** Said when it is done. */
  done?: string;
  /** The page right that is needed. Default edit_screen for calls, view_screen for addresses. */
  page?: PageType;
  /** Offered to those alone who stand in one of these relations to the record, and to their deputies. */
  who?: string[];
}

/** What a browser can do by itself: print the page, copy its address or what a field says, open the address in a field. */
export type BrowserAction = 'print' | 'copy_link' | 'copy' | 'open';

export interface FormLayout {
  /** Tabs of sections, or sections alone. A field not placed goes to the last section. */
  tabs?: { title: string; sections: FormSection[] }[];
  /** Tabs that a new record is entered in one after the other. */
  steps?: { title: string; sections: FormSection[] }[];
  sections?: FormSection[];
}
export interface FormSection {
  title?: string;
  help?: string;
  fields: string[];
  columns?: 1 | 2;
}
export interface GridColumnSpec {
  field: string;
  title?: string;
  width?: number;
  /** Not shown until chosen in the column chooser. */
  hidden?: boolean;
  pinned?: boolean;
}

/** The parts of a compiled field, each declared by the file of its word in `words/field/`. */
export interface FieldWords {
  /** Former names: values and history of the old name are this field's. */
  was?: string[];
}

/** One field, compiled: everything the engine and the renderer need of it. */
export interface Field extends FieldWords {
  /** Property name = column name. */
  name: string;
  /** Field type of the registry: code, text, money, ref … */
  type: string;
  title: string;
  help?: string;
  required: boolean;
  /** Expanded JSON Schema (no $ref). */
  schema: JsonSchema;
  default?: unknown;
  /** Money of records that belong to no company: it is in the client's currency. */
  ofClient?: true;
  /** Money on its way to be shown: its currency by the record, as `inCurrency` finds it; empty = not known. */
  currency?: string;
  secret: boolean;
  /** Of secrets: encrypted where they are stored. */
  encrypted?: true;
  readOnly: boolean;
  /** Read-only because of this person's roles: who sends another value gets an error, since others may write it. */
  keptFrom?: true;
  /** Child rows (type "rows"): the fields of a row. */
  rows?: Field[];
  /** Added by the client: kept in the column `custom`. */
  custom?: true;
  /** Shown to this person without all but its last characters. */
  masked?: 'last4';
  /** Whether members change it in their own record, where a client has said so. */
  byPerson?: boolean;
  /** Of no column: how many records refer to one. `several`: `by` is a list of references. */
  count?: Omit<ReferrerCount, 'title'> & { several: boolean };
}

/** What a field of a settings screen must be. */
export interface SettingCondition {
  type: string;
  field: string;
  is: string | number | boolean;
}

export interface GridColumn {
  field: string;
  title: string;
  width?: number;
  hidden: boolean;
  pinned: boolean;
}

/** A descriptor compiled: complete, expanded, self-contained. What the browser receives. */
export interface Screen extends ScreenWords {
  name: string;
  /** Folder in schemas/. */
  folder: string;
  kind: Kind;
  title: string;
  access: {
    screens: string[];
    products: string[];
    modules: string[];
    action: string | null;
    everyone: boolean;
    common: boolean;
  };
  scope: Scope;
  schema: JsonSchema;
  fields: Field[];
  /** Required fields that a client has taken away: new records get their defaults. */
  preset?: Field[];
  /** Fields that steps ask for and nobody reads; the browser has them apart from the others. */
  asked?: Field[];
  /** Types that refer to this one, and by which field ("rows_field.column" for child rows). */
  referredBy: { type: string; field: string }[];
  /** Content hash (hex, 16 characters) of everything above. */
  hash: string;
}

/**
 * Filter of a list call, as JSON: a condition `[field, op, value?]` or a group `["and"|"or", ...]`.
 * Text operators on a reference compare its label.
 */
export type FilterExpression =
  | [string, FilterOperator]
  | [string, FilterOperator, unknown]
  | ['and' | 'or', ...unknown[]];
export type FilterOperator =
  | 'eq'
  | 'ne'
  | 'in'
  | 'notin'
  | 'contains'
  | 'starts'
  | 'between'
  | 'within'
  | 'empty'
  | 'notempty'
  | 'before'
  | 'after'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte';

/** A record on the wire. Money, decimal, percent and quantity are strings; references are ids with `<field>__label` beside them. */
export type WireRecord = { id: number; version: number; active: boolean } & Record<string, unknown>;

/** One finding about a value a person entered. `field` is a path: "gstin", "emergency.2.phone"; "" = the record. */
export interface FieldError {
  field: string;
  message: string;
}

/** One finding about a descriptor file. */
export interface Problem {
  file: string;
  line: number;
  /** JSON path, e.g. $.schema.properties.branch.x-ref */
  path: string;
  message: string;
  /** What to write instead. */
  hint?: string;
  /** The sub-domain of the client whose rows do not allow it; `public` = the platform itself. */
  client?: string;
}

/** What /tapi/menu says of one screen the user may open. */
export interface ScreenRef {
  name: string;
  title: string;
  plural: string;
  kind: Kind;
  icon?: string;
  hash: string;
  routes: Screen['routes'];
  sameAs: Record<string, AddressTarget>;
  tree: boolean;
  /** Ways to show its list beside the grid. */
  looks?: LookName[];
  library?: true;
  hierarchy?: { route: string; title: string };
  rights: Record<PageType, boolean> & { write: boolean; remove: boolean; import: boolean; export: boolean };
}

export interface MenuNode {
  code: string;
  /** Random 10 characters, made at load. */
  id: string;
  name: string;
  /** What else a group is called. */
  subtitle?: string;
  icon?: string;
  route?: string;
  newTab?: boolean;
  /** Visible but unusable now, and why. */
  disabled?: string;
  children?: MenuNode[];
}

/** Pagination of list answers, the specification's shape (section 3). */
export interface Pagination {
  count: number | null;
  first: 1;
  has_next: boolean;
  has_prev: boolean;
  last: number | null;
  next_page: number | null;
  page: number;
  prev_page: number | null;
  total_pages: number | null;
  more: boolean;
  /** True when count stopped at the cap: show "1,000+". */
  capped?: boolean;
}
