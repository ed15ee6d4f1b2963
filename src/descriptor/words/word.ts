import type { SourceFile } from '../compile.ts';
import type { FieldCheck, ScreenCheck } from '../check_context.ts';
import type { FieldSetting } from '../setting_fields.ts';
import type { Source } from '../source.ts';
import type { Descriptor, Field, JsonSchema, Screen } from '../types.ts';

export type Path = (string | number)[];
type Json = Record<string, unknown>;

/** What the docs say of a word: lines of Markdown under a heading of docs/descriptors.md. */
interface Documented {
  /** The heading of the reference under which the word stands; docs.ts lists them. */
  chapter: string;
  /** Lines of Markdown in plain English; an empty line begins a new paragraph. None: `description` of the shape says all. */
  doc: string[];
  /**
   * Parts of a descriptor that use the word, each compiled by a test. A part stands in the order of docs/descriptors.md,
   * of field words among its fields; `name` makes it a file of its own, `schema` part of the order's schema.
   */
  example?: { part: Json; name?: string }[];
}

interface Shaped {
  name: string;
  /** JSON Schema of the word's value. Editors complete from it; `description` and `examples` are said when it is wrong. */
  shape: JsonSchema;
  /** Definitions that the shape refers to as `#/$defs/<name>`; those of several words are in shapes.ts. */
  definitions?: Record<string, JsonSchema>;
}

/** What a word of a screen is compiled from. */
export interface Compiling {
  file: SourceFile;
  descriptor: Descriptor;
  source: Source;
  /** schemas/types.json, by name. */
  types: Record<string, JsonSchema>;
  /** The record's schema, its types expanded. */
  expanded: JsonSchema;
  /** The compiled fields. Only `fields` of a word may change them. */
  fields: Field[];
  /** What is compiled so far: the parts of the words named in `after`. */
  screen: Screen;
}

/** A client's settings on their way over a screen. */
export interface Laying {
  product: Screen;
  /** The fields of the client's screen, own ones among them. */
  fields: Field[];
  /** Fields of the product that are not there any more. */
  gone: ReadonlySet<string>;
  /** Those, and fields of which only the last characters are shown. */
  changed: ReadonlySet<string>;
  /** Settings of the product's fields, by field. */
  settings: ReadonlyMap<string, FieldSetting>;
  /** Settings of the client's own fields. */
  own: readonly FieldSetting[];
  /** Names without those that are gone; a minus before a name does not count. */
  kept(names: string[]): string[];
  /** Whether an expression names a field that is not there as the product has it. */
  speaksOf(expression: string | undefined): boolean;
}

/** What becomes of a word where a client, or a person's roles, hide or rename fields. */
export interface Overlaying {
  /** Why a field cannot be hidden, as the end of a sentence ("it names the record"), or null. */
  needs?(screen: Screen, field: string): string | null;
  /** Why people cannot be kept from writing a field, as the end of a sentence, or null. */
  writes?(screen: Screen, field: string): string | null;
  /** The parts of the screen as they are with these fields. */
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
   * Reports what is wrong in better words than the shape can; called before the shape is checked, so anything may stand
   * there. False: without the word nothing can be compiled.
   */
  inspect?(written: unknown, source: Source, file: SourceFile, descriptor: Partial<Descriptor>): boolean | void;
  /** Changes fields, or adds some, before anything is compiled from them. */
  fields?(written: Written | undefined, compiling: Compiling): void;
  /** The compiled part of the screen; without it, what is written. Called for its default where the word is not written. */
  compile?(written: Written | undefined, compiling: Compiling): Partial<Screen>;
  /** Puts what the word of this screen says into others, before any is checked. */
  join?(screen: Screen, screens: readonly Screen[]): void;
  /** Reports what is wrong with the word against the fields and all other screens. */
  check?(check: ScreenCheck): void;
  /** Completes the part by what other screens say, after all are checked. */
  link?(screen: Screen, screens: ReadonlyMap<string, Screen>): void;
  overlay?: Overlaying;
}

/** A field on its way. */
export interface FieldCompiling {
  field: Field;
  /** As written, its type expanded. */
  schema: JsonSchema;
  source: Source;
  /** Where the field stands. */
  at: Path;
  /** Whether the field's type is known: what hangs on the type is not reported as well. */
  known: boolean;
  /** Compiles the columns of child rows. */
  rows(items: JsonSchema): Field[];
}

/** A word of a field: of the record, or of its rows. */
export interface FieldWord<Written = unknown> extends Shaped, Documented {
  on: 'field';
  /** Adds to the compiled field. Called also where the word is not written. */
  compile?(written: Written | undefined, compiling: FieldCompiling): void;
  /** Reports what is wrong with the word of one field, against the others and all other screens. */
  check?(field: Field, check: FieldCheck): void;
  /** Reports what is wrong with the word over all fields of a record, after `check` of each. */
  checkAll?(check: ScreenCheck): void;
  /** Completes the part by what other screens say, after all are checked. */
  link?(field: Field, siblings: readonly Field[], screen: Screen, screens: ReadonlyMap<string, Screen>): void;
  /** Takes out of a copy of the field what it says of fields that are not there any more. */
  unbind?(free: Field, laying: Pick<Laying, 'gone' | 'speaksOf'>): void;
}

/** A word of a descriptor: all that the product knows of it stands in this one place. */
export function defineWord<Written>(word: ScreenWord<Written>): ScreenWord;
export function defineWord<Written>(word: FieldWord<Written>): FieldWord;
export function defineWord(word: ScreenWord | FieldWord): ScreenWord | FieldWord {
  return word;
}
