import type { AddressTarget } from './address_target.ts';
import type { Letterhead, Terms } from './prints.ts';

/**
 * The types shared by everything else: a descriptor as written in a file, and the screen compiled from it. Data only,
 * no behaviour.
 */

/** The roles that types play in the engine: accounts that sign in, members of staff with their account. */
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

/** The fields of the type in which clients write their own number patterns. */
export interface NumberSeriesFields {
  type: string;
  place: string;
  pattern: string;
  company: string;
}

/** The fields of the type in which clients design printed documents. */
export interface PrintDesignFields {
  /** The print, `quotation.letter`. */
  document: string;
  company: string;
  paper: string;
  landscape: string;
  /** The rows of blocks (`own_prints.ts`). */
  blocks: string;
  /** The field and the value that mark active designs. */
  used: { field: string; is: string };
}

export type PageType = 'landing' | 'add_screen' | 'edit_screen' | 'view_screen' | 'approval_screen' | 'transfer_screen';

export type Scope = 'platform' | 'tenant' | 'entity';

/** How a screen opens. `master` and `document` share grid and form. */
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

/** Another way to show a list, beside its grid. */
export type LookName = keyof ScreenLooks & keyof WrittenLooks;

/** One file of `schemas/<module>/<name>.json`, as its author wrote it. */
export interface Descriptor extends WrittenWords {
  $schema: string;
  /** Default master. */
  kind?: Kind;
  /** Singular, as in "Add branch". */
  title: string;
  /** Absent for parts: they have the access of their parent. */
  access?: {
    /** SCN_ codes; any one is enough. */
    screen: string | string[];
    /** Product suffixes (FMS, PMS …); any one is enough; none = every tenant. */
    product?: string | string[];
    /** Module flags; any one is enough; default MASTERS. */
    module?: string | string[];
    /** Action code required to write, e.g. CREATE_MASTERS (default for masters). null = none. */
    action?: string | null;
    /** Route flagged show-to-non-admin: without a screen right the user gets own rows only. */
    everyone?: boolean | 'team';
    /** Flagged common: shown on the admin host. */
    common?: boolean;
  };
  /** Who owns the records. Default tenant. */
  scope?: Scope;
  /** JSON Schema of the record. */
  schema: JsonSchema;
}

/** A key that applies only to records that match a filter; no fields = at most one such record. */
export interface WrittenKey {
  key: string[];
  when: FilterExpression;
  /** Replaces the usual message. */
  message?: string;
}

/** `valid` and `bands` as written. */
export interface WrittenRange {
  from: string;
  to: string;
  key?: string[];
  /** The ranges are those of this rows field, across all records. */
  rows?: string;
  when?: FilterExpression;
  /** Bands: distance between the end of one and the start of the next. Default 1 for whole numbers, otherwise 0. */
  step?: number;
}

/** A key among the active records that meet `when`. */
export interface ConditionalKey extends WrittenKey {
  emptyEqual: boolean;
}

export type RangeWord = 'valid' | 'bands';

/** Ranges that must not overlap among those with the same values in `key`; empty values are equal. */
export interface RangeKey {
  word: RangeWord;
  from: string;
  to: string;
  key: string[];
  rows?: string;
  when?: FilterExpression;
  /** How many ranges of the same fields, with other conditions, come before it. */
  no?: number;
  /** The distance between the end of one range and the start of the next, as an exact decimal. */
  step: string;
  /** For rows: there must be no gap between two ranges. */
  gapless?: boolean;
}

/** How many records of type `of` refer to a record, through their field `by` ("rows_field.column" for child rows). */
export interface ReferrerCount {
  title?: string;
  of: string;
  by: string;
  /** Only records that meet this condition. */
  filter?: FilterExpression;
}

/**
 * Records visible to these people too, besides the owner; even if their role shows only their own records. `action`: also
 * to whoever has this right, except people whom a field of `not` names.
 */
export interface Shared {
  with: string[];
  when: Record<string, string>;
  action?: string;
  not?: string[];
}

export interface Personal {
  owner: string;
  when?: Record<string, string>;
  shared?: Shared[];
}

/** A date by which something must be done, and the person responsible. */
export interface DueDate {
  /** What the rules call it. */
  event: string;
  /** Its heading in the rules; default: the type itself. */
  module?: string;
  title: string;
  /** A date of the record, or `rows.column`: then each row has its own due date. */
  date: string;
  /** Only records, or rows, that meet this condition. */
  open?: FilterExpression;
  openRows?: FilterExpression;
  /**
   * By relation to the record: the reference to a user or an employee; `rows.column` of a row; `id` for an employee's
   * own record.
   */
  people: Partial<Record<DuePart, string>>;
}

export type DuePart = 'assignee' | 'requester' | 'owner' | 'approver';

/** A rule across fields; `assert` is an expression (docs/descriptors.md), true = valid. */
export interface Rule {
  assert: string;
  message: string;
  field?: string;
  /** Child rows field: the rule is checked for each row. */
  rows?: string;
}

/**
 * An action on one record: `to` opens an address (`:id` is the record's), `call` posts to `/tapi/<type>/<id>/<call>`.
 * The server checks again in the call.
 */
export interface RecordAction {
  title: string;
  icon?: string;
  to?: string;
  call?: string;
  /** A function of a module, called by POST /tapi/<type>/action/<run>. */
  run?: string;
  /** An action that the browser executes without the server. */
  browser?: BrowserAction;
  /** For `browser`: the field whose value is used. */
  of?: string;
  /** For the files of records: other records whose files belong to them. */
  with?: FileSource[];
  /** For `run`, what it works on: `record`, `rows:<field>`, `selection` or `list`. */
  on?: string;
  /** For `run`: the fields it asks for first. */
  params?: Field[];
  /** Offered only if this expression is true. */
  when?: string;
  /** Asked before the call. */
  confirm?: string;
  /** A text required before the call: its name in the request body, and the question. */
  ask?: Record<string, string>;
  /** An action on the whole list, not on a record: POST /tapi/<type>/<call>. */
  list?: boolean;
  /** Offered for several records of the list as well: POST /tapi/<type>/bulk/<call>. */
  bulk?: boolean;
  /** Also shown in the row itself, beside its menu. */
  inRow?: boolean;
  /** Said when it is done. */
  done?: string;
  /** The page right required. Default edit_screen for calls, view_screen for addresses. */
  page?: PageType;
  /** Offered only to people in one of these relations to the record, and to their deputies. */
  who?: string[];
}

/** Records whose files belong to another record: they name it in the field `by`, or it names them in its reference `via`. */
export type FileSource = { type: string; by: string; filter?: FilterExpression } | { via: string };

/**
 * What the browser does: print the page, copy its address or a field's value, open the address in a field, or save the
 * files of records as a ZIP.
 */
export type BrowserAction = 'print' | 'copy_link' | 'copy' | 'open' | 'files';

export interface FormLayout {
  /** Tabs of sections, or only sections. Fields that no section lists are added to the last. */
  tabs?: { title: string; sections: FormSection[] }[];
  /** Steps in which a new record is entered. */
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

/** One compiled field: everything the engine and the renderer need. */
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
  /** Money of records that belong to no company: in the client's currency. */
  ofClient?: true;
  /** Money prepared for display: the currency of its record, as `inCurrency` finds it; empty = unknown. */
  currency?: string;
  secret: boolean;
  /** For secrets: encrypted in storage. */
  encrypted?: true;
  readOnly: boolean;
  /** Read-only because of this person's roles: sending another value is an error, because others may write it. */
  keptFrom?: true;
  /** Child rows (type "rows"): the fields of a row. */
  rows?: Field[];
  /** A custom field of the client: stored in the column `custom`. */
  custom?: true;
  /** Masked for this person, except for the last characters. */
  masked?: 'last4';
  /** Whether members may change it in their own record, if the client allows it. */
  byPerson?: boolean;
  /** Not a column: how many records refer to a record. `several`: `by` is a list of references. */
  count?: Omit<ReferrerCount, 'title'> & { several: boolean };
}

/** The required value of a field in a settings screen. */
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

/** A compiled descriptor: complete, expanded, self-contained. This is what the browser receives. */
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
    /** Everybody sees at least the records of their team. */
    team?: true;
    common: boolean;
  };
  scope: Scope;
  schema: JsonSchema;
  fields: Field[];
  /** Required fields that a client has hidden: new records get their defaults. */
  preset?: Field[];
  /** Fields that transitions ask for and nobody can read; the browser stores them separately. */
  asked?: Field[];
  /** Types that refer to this one, with the field ("rows_field.column" for child rows). */
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

/**
 * A record on the wire. Money, decimal, percent and quantity are strings; references are ids with `<field>__label`
 * beside them.
 */
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

/** The entry in /tapi/menu for one screen the user may open. */
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
  /** Other ways to show its list, beside the grid. */
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
  /** Another name of a group. */
  subtitle?: string;
  icon?: string;
  route?: string;
  newTab?: boolean;
  /** Visible but disabled now, with the reason. */
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
  /** True if the count stopped at the cap: show "1,000+". */
  capped?: boolean;
}
