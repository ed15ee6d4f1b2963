import type { SourceFile } from '../compile.ts';
import type { FieldCheck, ScreenCheck } from '../check_context.ts';
import type { FieldSetting } from '../setting_fields.ts';
import type { Source } from '../source.ts';
import type { Descriptor, Field, JsonSchema, Screen } from '../types.ts';

export type Path = (string | number)[];
type Json = Record<string, unknown>;

/** The documentation of a word: lines of Markdown under a heading of docs/descriptors.md. */
interface Documented {
  /** The heading of the reference under which the word appears; reference.ts lists them. */
  chapter: string;
  /**
   * Lines of Markdown in plain English; an empty line begins a new paragraph. Empty: the `description` of the shape is
   * enough.
   */
  doc: string[];
  /**
   * Fragments of a descriptor that use the word, each compiled by a test. A fragment is placed in the order of
   * docs/descriptors.md, for field words among its fields; `name` makes it a separate file, `schema` part of the
   * order's schema.
   */
  example?: { part: Json; name?: string }[];
}

interface Shaped {
  name: string;
  /**
   * JSON Schema of the word's value. Editors use it for completion; `description` and `examples` are shown when the
   * value is invalid.
   */
  shape: JsonSchema;
  /** Definitions that the shape refers to as `#/$defs/<name>`; shared ones are in shapes.ts. */
  definitions?: Record<string, JsonSchema>;
}

/** The input for compiling a word of a screen. */
export interface Compiling {
  file: SourceFile;
  descriptor: Descriptor;
  source: Source;
  /** schemas/types.json, by name. */
  types: Record<string, JsonSchema>;
  /** The record's schema with expanded types. */
  expanded: JsonSchema;
  /** The compiled fields. Only `fields` of a word may change them. */
  fields: Field[];
  /** The result so far: the parts of the words named in `after`. */
  screen: Screen;
}

/** The application of a client's settings to a screen. */
export interface Laying {
  product: Screen;
  /** The fields of the client's screen, including custom ones. */
  fields: Field[];
  /** Fields of the product that are hidden. */
  gone: ReadonlySet<string>;
  /** Those, and masked fields. */
  changed: ReadonlySet<string>;
  /** Settings of the product's fields, by field. */
  settings: ReadonlyMap<string, FieldSetting>;
  /** Settings of the client's custom fields. */
  own: readonly FieldSetting[];
  /** Names without hidden fields; a leading minus is ignored. */
  kept(names: string[]): string[];
  /** Whether an expression uses a field that is hidden or changed. */
  speaksOf(expression: string | undefined): boolean;
  /** Whether an expression about rows uses a column of them that is hidden. */
  speaksOfColumn(rows: string | undefined, expression: string): boolean;
}

/** How a word reacts when a client, or a person's roles, hide or rename fields. */
export interface Overlaying {
  /** Why a field cannot be hidden, as the end of a sentence ("it names the record"), or null. */
  needs?(screen: Screen, field: string): string | null;
  /** Why a field cannot be made read-only for people, as the end of a sentence, or null. */
  writes?(screen: Screen, field: string): string | null;
  /** The parts of the screen with these fields. */
  lay?(laying: Laying): Partial<Screen>;
}

/** A word at the top level of a descriptor. */
export interface ScreenWord<Written = unknown> extends Shaped, Documented {
  on: 'screen';
  /** A descriptor without the word is refused. */
  required?: true;
  /** Words that must be compiled before. */
  after?: string[];
  /**
   * Reports errors in better words than the shape can; called before the shape is checked, so the value may be
   * anything. False: without the word nothing can be compiled.
   */
  inspect?(written: unknown, source: Source, file: SourceFile, descriptor: Partial<Descriptor>): boolean | void;
  /** Changes fields, or adds some, before anything is compiled from them. */
  fields?(written: Written | undefined, compiling: Compiling): void;
  /**
   * The compiled part of the screen; without it, the value as written. Also called without a value, for the default.
   */
  compile?(written: Written | undefined, compiling: Compiling): Partial<Screen>;
  /** Adds to other screens, before any is checked. */
  join?(screen: Screen, screens: readonly Screen[]): void;
  /** Reports errors against the fields and all other screens. */
  check?(check: ScreenCheck): void;
  /** Completes the part with information from other screens, after all are checked. */
  link?(screen: Screen, screens: ReadonlyMap<string, Screen>): void;
  overlay?: Overlaying;
}

/** A field on its way. */
export interface FieldCompiling {
  field: Field;
  /** As written, with its type expanded. */
  schema: JsonSchema;
  source: Source;
  /** Where the field stands. */
  at: Path;
  /** Whether the field's type is known: otherwise errors that depend on it are not reported. */
  known: boolean;
  /** Compiles the columns of child rows. */
  rows(items: JsonSchema): Field[];
}

/** A word of a field: of the record, or of its rows. */
export interface FieldWord<Written = unknown> extends Shaped, Documented {
  on: 'field';
  /** Adds to the compiled field. Also called without a value. */
  compile?(written: Written | undefined, compiling: FieldCompiling): void;
  /** Reports errors in the word of one field, against the others and all other screens. */
  check?(field: Field, check: FieldCheck): void;
  /** Reports errors in the word over all fields of a record, after `check` of each. */
  checkAll?(check: ScreenCheck): void;
  /** Completes the part with information from other screens, after all are checked. */
  link?(field: Field, siblings: readonly Field[], screen: Screen, screens: ReadonlyMap<string, Screen>): void;
  /** Removes references to hidden fields from a copy of the field. */
  unbind?(free: Field, laying: Pick<Laying, 'gone' | 'speaksOf'>): void;
}

/** A word of a descriptor: everything about it is in this one place. */
export function defineWord<Written>(word: ScreenWord<Written>): ScreenWord;
export function defineWord<Written>(word: FieldWord<Written>): FieldWord;
export function defineWord(word: ScreenWord | FieldWord): ScreenWord | FieldWord {
  return word;
}
