import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Draft } from './compile.ts';
import type { ColumnTotal } from './expression/compile_expression.ts';
import { ExpressionSyntaxError, LABEL, compileExpression } from './expression/compile_expression.ts';
import { typeProblem } from './expression/expression_types.ts';
import type { Named } from './expression/expression_types.ts';
import { parseFilter } from './filter.ts';
import type { FunctionKind, FunctionNames, KnownFunction } from './function_names.ts';
import { settingCondition } from './setting_condition.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Descriptor, Field, FilterExpression, PageType, Screen } from './types.ts';
import { shapeWords } from './shape_words.ts';
import { schemaMessage, valueMessage } from './validate.ts';

type Path = (string | number)[];

/** Columns that every record has, besides its fields. */
export const RECORD_FIELDS = ['id', 'active', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'];

/** How a descriptor writes values that people write differently. */
const WRITTEN_IN_FILES: Record<string, string> = {
  date: 'a date as 2025-03-31',
  datetime: 'a moment as 2025-03-31T09:30:00+05:30',
  month: 'a month as 2025-03',
  time: 'a time as 09:30',
  money: 'an amount as a text with a point, such as "1500.00"',
  decimal: 'a number as a text with a point, such as "12.5"',
  quantity: 'a number as a text with a point, such as "12.5"',
  percent: 'a number as a text with a point, such as "12.5"',
};

/** Types that are people. */
export const PEOPLE = new Set(['users', 'employee', 'common_user']);
/** The types that can own a record; a role means everybody who holds it. */
export const OWNERS = new Set([...PEOPLE, 'role']);

export const PAGES: PageType[] = [
  'landing',
  'add_screen',
  'edit_screen',
  'view_screen',
  'approval_screen',
  'transfer_screen',
];

/** Kept between compilations, for instance after a file has changed; cleared at this size. */
const KEPT_RULES = 5_000;
/** Validators by the rules of fields: hundreds of fields have the same rules, which are compiled once. */
let ofRules = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

function validatorOf(rules: string): ValidateFunction {
  const known = ofRules.get(rules);
  if (known) return known;
  if (!ajv || ofRules.size >= KEPT_RULES) {
    // Each validator is used once or twice: optimising its code takes longer than it saves.
    ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false, code: { optimize: false } });
    ofRules = new Map();
  }
  const made = ajv.compile(JSON.parse(rules) as object);
  ofRules.set(rules, made);
  return made;
}

/** What the checks of all screens share. */
export class Checked {
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Types that have a file, valid or not. */
  readonly fileNames: ReadonlySet<string>;
  /** Used addresses, parameters without their names, and the page of each. */
  readonly addresses = new Map<string, { name: string; page: string }>();
  readonly #functions: FunctionNames;

  constructor(drafts: ReadonlyMap<string, Draft>, fileNames: ReadonlySet<string>, functions: FunctionNames) {
    this.drafts = drafts;
    this.fileNames = fileNames;
    this.#functions = functions;
  }

  /** The functions of a kind that modules provide; undefined if unknown here. */
  functions(kind: FunctionKind): ReadonlySet<string> | undefined {
    return this.#functions[kind];
  }

  /** The properties of an effect or a guard besides its name. */
  described(kind: 'effects' | 'guards', name: string): KnownFunction | undefined {
    return this.#functions.described?.[kind].get(name);
  }

  /** The error in a value of the field, or null. */
  valueError(field: Field, value: unknown): string | null {
    const { title: _title, description: _description, default: _default, readOnly: _readOnly, ...rules } = field.schema;
    let validate: ValidateFunction;
    try {
      validate = validatorOf(JSON.stringify(rules));
    } catch {
      return 'the words of the field itself are not right.';
    }
    const form = WRITTEN_IN_FILES[field.type];
    if (validate(value)) {
      const message = valueMessage(field, value);
      return form !== undefined && message?.startsWith('Enter ') ? `write ${form}.` : message;
    }
    if (form !== undefined) return `write ${form}.`;
    const error = validate.errors![0]!;
    const steps = error.instancePath.split('/').slice(1);
    const place =
      steps.map((step) => (/^\d+$/.test(step) ? `entry ${Number(step) + 1}` : `"${step}"`)).join(', ') || 'it';
    return error.keyword === 'pattern' ? schemaMessage(field, error) : `${place} ${shapeWords(error)}`;
  }
}

/** One screen being checked: gives a word access to fields, other types and expressions, and reports its errors. */
export class ScreenCheck {
  readonly screen: Screen;
  /** As its author wrote it. */
  readonly descriptor: Descriptor;
  readonly source: Source;
  readonly all: Checked;
  /** Names of the fields. */
  readonly names: ReadonlySet<string>;
  /** The names that a list can show and sort by. */
  readonly listNames: ReadonlySet<string>;
  /** Columns of the child rows, by field. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names that an expression of the record may use. */
  readonly scope: ReadonlySet<string>;
  /** A field of unknown type would be treated as text. */
  readonly #areTypesKnown: boolean;

  constructor({ screen, descriptor, source }: Draft, all: Checked) {
    this.screen = screen;
    this.descriptor = descriptor;
    this.source = source;
    this.all = all;
    this.names = new Set(screen.fields.map((field) => field.name));
    this.listNames = new Set([...this.names, ...RECORD_FIELDS, ...(screen.counts ?? []).map(({ name }) => name)]);
    this.columns = new Map(
      screen.fields.flatMap(({ name, rows }) =>
        rows ? [[name, new Set(rows.map((inner) => inner.name))] as const] : [],
      ),
    );
    this.scope = new Set([...this.names, ...RECORD_FIELDS, 'entity_id']);
    this.#areTypesKnown = source.problems.length === 0;
  }

  report(path: Path, message: string, hint?: string): void {
    this.source.report(path, message, hint);
  }

  unknown(path: Path, name: string, names: Iterable<string>, where: string): void {
    this.report(path, `There is no field "${name}" for ${where}.`, didYouMean(name, names));
  }

  field(name: string | undefined): Field | undefined {
    return this.screen.fields.find((field) => field.name === name);
  }

  /** Another type by name; undefined, and reported, if it does not exist. */
  type(name: string, path: Path): Screen | undefined {
    const found = this.all.drafts.get(name)?.screen;
    if (!found) {
      const isWrong = this.all.fileNames.has(name);
      this.report(
        path,
        isWrong ? `"${name}" has mistakes of its own.` : `There is no record type "${name}".`,
        isWrong ? 'Correct that file first.' : didYouMean(name, this.all.drafts.keys()),
      );
    }
    return found;
  }

  /** A named function of a module. */
  function(kind: FunctionKind, name: string, path: Path): void {
    const known = this.all.functions(kind);
    if (known && !known.has(name)) this.report(path, `There is no function "${name}".`, didYouMean(name, known));
  }

  /** A field, or `rows.column`; undefined, and reported, if it does not exist. */
  fieldOrColumn(name: string, path: Path, where: string): Field | undefined {
    const [first = '', column] = name.split('.');
    const field = this.field(first);
    if (!field) this.unknown(path, first, this.names, where);
    if (!field || column === undefined) return field;
    const found = field.rows?.find((one) => one.name === column);
    if (!found)
      this.report(
        path,
        `"${first}" has no column "${column}".`,
        didYouMean(
          column,
          (field.rows ?? []).map((one) => one.name),
        ),
      );
    return found;
  }

  /** A filter on records of a type; true if it is valid. */
  filter(filter: FilterExpression | undefined, of: Screen, path: Path, hint: string): boolean {
    const parsed = parseFilter(filter, of);
    if ('error' in parsed) this.report(path, parsed.error, hint);
    return !('error' in parsed);
  }

  /** A setting of the client on which something depends. */
  setting(written: unknown, path: Path): void {
    if (typeof written !== 'object' || written === null) return;
    const found = settingCondition(written as Record<string, string>);
    const target = found && this.all.drafts.get(found.type)?.screen;
    const field = target?.fields.find(({ name }) => name === found?.field);
    if (target?.kind !== 'settings' || target.scope !== 'tenant' || !field || field.override) {
      this.report(
        path,
        `${JSON.stringify(written)} is not a setting of a client.`,
        'Write a settings screen shared by all companies, one of its fields that companies do not set themselves, and its value: { "configuration.employee_number": "automatic" }.',
      );
      return;
    }
    const message = this.all.valueError(field, found!.is);
    if (message !== null)
      this.report(
        path,
        `${JSON.stringify(found!.is)} is not a valid value of "${field.name}" of ${target.name}: ${message}`,
        'Write a value that the setting can have.',
      );
  }

  /**
   * An expression: it must be readable, use existing names and have a result that fits its place. `scope` and `fields`:
   * the names it may use, the nearest first; `row`: the rows over which it is accumulated. Returns the names used, or
   * null if the text itself is invalid.
   */
  expression(
    text: string,
    path: Path,
    purpose: Field | 'condition',
    scope: ReadonlySet<string> = this.scope,
    fields: Field[][] = [this.screen.fields],
    row?: string,
  ): string[] | null {
    const before = this.source.problems.length;
    try {
      const { names: used, running } = compileExpression(text);
      this.#running(running, row, path);
      for (const name of used) {
        const [rows, column] = name.split('.');
        if (name.endsWith(`.${LABEL}`))
          this.report(
            path,
            'label(…) is known on the server alone, in a step, an effect or a relation.',
            'Compare the reference itself, or a text that x-fetch copies from its record.',
          );
        else if (column !== undefined) {
          const columns = this.columns.get(rows!);
          if (!columns)
            this.report(path, `"${rows}" is not a field with child rows.`, didYouMean(rows!, this.columns.keys()));
          else if (!columns.has(column)) this.unknown(path, column, columns, `the rows of ${rows}`);
        } else if (!scope.has(name)) this.unknown(path, name, scope, 'the expression');
      }
      if (used.length === 0)
        this.report(
          path,
          'This expression names no field, so it always gives the same.',
          'Write what it depends on, such as qty * rate.',
        );
      const problem =
        this.#areTypesKnown && this.source.problems.length === before
          ? typeProblem(text, namedIn(fields), purpose)
          : null;
      if (problem) this.report(path, problem.message, problem.hint);
      return used;
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      this.report(
        path,
        `"${text}" cannot be read: ${error.message}`,
        'docs/descriptors.md lists what an expression may say.',
      );
      return null;
    }
  }

  /**
   * An expression that only the server computes: it may follow references (`type_id.months`) and does not need to use a
   * field. `more`: further names, such as the answers of a transition; `row`: columns of the row it concerns. `any`:
   * any result is valid.
   */
  serverExpression(
    text: string,
    path: Path,
    purpose: Field | 'condition' | 'any',
    more: Iterable<string> = [],
    row: Field[] = [],
  ): void {
    const before = this.source.problems.length;
    let names: string[];
    try {
      const { names: used, running } = compileExpression(text);
      names = used;
      this.#running(running, undefined, path);
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      this.report(
        path,
        `"${text}" cannot be read: ${error.message}`,
        'docs/descriptors.md lists what an expression may say.',
      );
      return;
    }
    const scope = new Set([...this.scope, ...more]);
    let plain = true;
    for (const name of names) {
      const [first = '', ...rest] = name.split('.');
      const field = row.find((one) => one.name === first) ?? this.field(first);
      if (rest.length > 0 && scope.has(name)) plain = false;
      else if (rest.length === 0) {
        if (!scope.has(name)) this.unknown(path, name, scope, 'the expression');
        if (!this.scope.has(name) && !row.some((one) => one.name === name)) plain = false;
      } else if (field?.ref) {
        plain = false;
        this.#behind(field, rest, path);
      } else if (!this.columns.get(first)?.has(rest.join('.')))
        this.report(path, `"${name}" is neither a column of rows nor a field behind a reference.`);
    }
    const problem =
      plain && purpose !== 'any' && this.#areTypesKnown && this.source.problems.length === before
        ? typeProblem(text, namedIn([row, this.screen.fields]), purpose)
        : null;
    if (problem) this.report(path, problem.message, problem.hint);
  }

  /** A running total is allowed only in a formula of those rows. */
  #running(columns: readonly ColumnTotal[], row: string | undefined, path: Path): void {
    for (const { rows, total } of columns) {
      const field = this.field(rows);
      if (rows === row && field?.rows && !field.part && field.saveBy === undefined) continue;
      this.report(
        path,
        rows === row
          ? `${total} cannot stand in rows that are saved by themselves.`
          : `${total} stands in a row of another table.`,
        `Write it as "x-formula" of a column of child rows, about another column of the same rows.`,
      );
    }
  }

  /** Follows a path of references from a field; reports the first unknown name. */
  #behind(from: Field, path: string[], at: Path): void {
    let field: Field | undefined = from;
    for (const name of path) {
      const target: Screen | undefined = field?.ref && this.all.drafts.get(field.ref.type)?.screen;
      if (name === LABEL) {
        if (!target) this.report(at, 'label(…) takes a reference.', 'Write the field itself.');
        return;
      }
      if (!target) return;
      field = target.fields.find((one) => one.name === name);
      if (!field) {
        this.unknown(
          at,
          name,
          target.fields.map((one) => one.name),
          `the record of ${target.name}`,
        );
        return;
      }
      if (field.visible !== undefined)
        this.report(
          at,
          `"${name}" of ${target.name} is not visible to everybody ("x-visible"): this would show it.`,
          'Choose another field.',
        );
    }
  }

  /**
   * Reserves an address for a page. Two addresses are equal if no request could distinguish them: the names of
   * parameters do not matter. The platform's screens and those of clients have addresses of their own: nobody is served
   * both.
   */
  address(page: string, route: string, path: Path): void {
    if (typeof route !== 'string' || !/^\/[\w:/.-]*$/.test(route)) {
      this.report(
        path,
        `"${String(route)}" is not an address.`,
        'Addresses begin with / and hold letters, digits, _ - and :parameters.',
      );
      return;
    }
    const shape = `${this.screen.scope === 'platform' ? 'platform ' : ''}${route.replace(/:\w+/g, ':')}`;
    const other = this.all.addresses.get(shape);
    // One address for both: with ?id= it edits, without it adds.
    const shared = other?.name === this.screen.name && other.page === 'add' && page === 'edit';
    if (other && !shared)
      this.report(
        path,
        `Address ${route} is taken by ${other.name} (${other.page}).`,
        'Give one of them another address under "routes", or keep it for one screen alone.',
      );
    else this.all.addresses.set(shape, { name: this.screen.name, page });
  }
}

/** One field being checked. */
export interface FieldCheck {
  check: ScreenCheck;
  /** The position of the field in the file. */
  at: Path;
  /** The fields of the record, or of the row. */
  siblings: Field[];
  /** The rows field that the field is a column of. */
  rows?: string;
  /** As its author wrote it. */
  written: Record<string, unknown>;
  /** The names that an expression of the field may use. */
  scope: ReadonlySet<string>;
}

/**
 * An expression of a field; for a column, on the row and the record. Returns the names used, or null if it is invalid.
 */
export function fieldExpression(
  text: string,
  word: Path,
  purpose: Field | 'condition',
  { check, at, siblings, scope, rows }: FieldCheck,
): string[] | null {
  const row = word[0] === 'x-formula' ? rows : undefined;
  return check.expression(text, [...at, ...word], purpose, scope, [siblings, check.screen.fields], row);
}

/** Fields by name, those of the first list taking precedence. */
function namedIn(lists: Field[][]): Named {
  return (name) => {
    for (const list of lists) {
      const field = list.find((one) => one.name === name);
      if (field) return field;
    }
    return undefined;
  };
}
