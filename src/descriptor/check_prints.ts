import type { ScreenCheck } from './check_context.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { parseFilter } from './filter.ts';
import type { Print, PrintBlock, PrintEnclosure } from './prints.ts';
import { PRINT_BLOCKS, pathsInText } from './prints.ts';
import { didYouMean } from './source.ts';
import type { Field, Screen } from './types.ts';

type Path = (string | number)[];

/** The number of columns that fit on paper, portrait and landscape. */
const MAX_COLUMNS: Readonly<Record<Print['paper'], [upright: number, across: number]>> = {
  A4: [10, 15],
  A5: [6, 10],
  A6: [4, 6],
};

/**
 * Reports errors in the prints of a screen: invalid paths, content that cannot be printed, tables that are too wide.
 */
export function checkPrints(check: ScreenCheck): void {
  for (const one of check.screen.prints ?? []) {
    const at: Path = ['print', one.name];
    if (one.when !== undefined) check.serverExpression(one.when, [...at, 'when'], 'condition');
    const states = check.screen.workflow?.states.map(({ name }) => name) ?? [];
    for (const state of Object.keys(one.watermark))
      if (!states.includes(state))
        check.report([...at, 'watermark', state], `There is no state "${state}".`, didYouMean(state, states));
    for (const [index, copy] of (one.copies ?? []).entries())
      if (typeof copy !== 'string') check.serverExpression(copy.when, [...at, 'copies', index, 'when'], 'condition');
    if (one.like === undefined) checkBlocks(check, one, one.blocks, [...at, 'blocks']);
    else checkLike(check, one.like, [...at, 'like']);
    for (const [index, enclosure] of (one.enclose ?? []).entries())
      checkEnclosure(check, enclosure, [...at, 'enclose', index]);
  }
}

/** Reports a print that is like a missing print, or like one that is itself like another. */
function checkLike(check: ScreenCheck, like: string, at: Path): void {
  const others = (check.screen.prints ?? []).filter((one) => one.like === undefined).map(({ name }) => name);
  if (!others.includes(like))
    check.report(at, `There is no print "${like}" with blocks of its own.`, didYouMean(like, others));
}

const FILES = new Set(['file', 'image']);

/** Reports an enclosure whose type, fields or print do not exist. */
function checkEnclosure(check: ScreenCheck, one: PrintEnclosure, at: Path): void {
  if ('rows' in one) {
    const rows = check.field(one.rows)?.rows ?? [];
    const named = (name: string) => rows.find((column) => column.name === name);
    if (!FILES.has(named(one.file)?.type ?? ''))
      check.report([...at, 'file'], `"${one.rows}" has no file "${one.file}".`, 'Name a column with a file.');
    const values = (named(one.title)?.schema.enum ?? []) as unknown[];
    if (values.length === 0)
      check.report([...at, 'title'], `"${one.title}" is not a list of values of "${one.rows}".`, 'Name such a column.');
    for (const [index, need] of (one.needs ?? []).entries())
      if (!values.includes(need))
        check.report(
          [...at, 'needs', index],
          `"${need}" is no value of "${one.title}".`,
          didYouMean(need, values.map(String)),
        );
    if (one.when !== undefined)
      check.serverExpression(
        one.when,
        [...at, 'when'],
        'condition',
        rows.map(({ name }) => name),
        rows,
      );
    return;
  }
  const of = check.all.drafts.get(one.of)?.screen;
  const by = of?.fields.find(({ name }) => name === one.by);
  if (by?.ref?.type !== check.screen.name) {
    check.report([...at, 'by'], `"${one.of}.${one.by}" does not refer to this type.`, 'Name a reference to it.');
    return;
  }
  const via = one.via === undefined ? undefined : of!.fields.find(({ name }) => name === one.via)?.ref;
  const target = one.via === undefined ? of : via && check.all.drafts.get(via.type)?.screen;
  if (!target) {
    check.report([...at, 'via'], `"${one.of}.${one.via}" is not a reference.`, 'Name a reference.');
    return;
  }
  if (one.file !== undefined && !FILES.has(target.fields.find(({ name }) => name === one.file)?.type ?? ''))
    check.report([...at, 'file'], `"${target.name}" has no file "${one.file}".`, 'Name a field with a file.');
  if (one.print !== undefined && !target.prints?.some(({ name }) => name === one.print))
    check.report([...at, 'print'], `"${target.name}" has no print "${one.print}".`, 'Name one of its prints.');
  if (one.file === undefined && one.print === undefined)
    check.report(at, 'It says neither a file nor a print.', 'Add "file" or "print".');
  const parsed = parseFilter(one.filter === undefined ? undefined : JSON.stringify(one.filter), of!, { rows: true });
  if ('error' in parsed) check.report([...at, 'filter'], parsed.error, 'Correct the filter.');
}

const kindOf = (one: PrintBlock): string =>
  PRINT_BLOCKS.find((word) => word in one && !(word === 'columns' && 'table' in one))!;

/** Reports errors in the blocks of a print. */
export function checkBlocks(check: ScreenCheck, of: OnPaper, list: PrintBlock[], at: Path): void {
  for (const [index, one] of list.entries()) {
    const place: Path = [...at, index];
    if (one.when !== undefined) check.serverExpression(one.when, [...place, 'when'], 'condition');
    checkBlock(check, of, one, [...place, kindOf(one)]);
  }
}

/** The paper that a print must fit on. */
type OnPaper = Pick<Print, 'paper' | 'landscape'>;

/** Reports errors in a block. */
export function checkBlock(check: ScreenCheck, of: OnPaper, one: PrintBlock, at: Path): void {
  if ('table' in one) return checkTable(check, of, one, at.slice(0, -1));
  if ('letterhead' in one) return checkLetterhead(check, one.letterhead, at);
  if ('heading' in one) return checkPrintText(check, one.heading, at);
  if ('text' in one) return checkPrintText(check, one.text, at);
  if ('box' in one) return one.box.forEach((path, index) => printedField(check, path, [...at, index]));
  if ('words' in one) return check.serverExpression(one.words, at, 'any');
  if ('qr' in one) return check.serverExpression(one.qr, at, 'any');
  if ('image' in one) return checkPicture(check, one.image, at);
  if ('terms' in one) return checkTerms(check, one.terms, at);
  if ('columns' in one) {
    for (const [index, inner] of one.columns.entries()) checkBlocks(check, of, inner, [...at, index]);
    return;
  }
  if ('sign' in one)
    for (const [index, box] of one.sign.entries()) {
      checkPrintText(check, typeof box === 'string' ? box : box.title, [...at, index]);
      if (typeof box === 'string') continue;
      if (box.name !== undefined) printedField(check, box.name, [...at, index, 'name']);
      if (box.image !== undefined) checkPicture(check, box.image, [...at, index, 'image']);
      for (const [line, text] of (box.under ?? []).entries())
        checkPrintText(check, text, [...at, index, 'under', line]);
    }
}

/** Reports invalid paths in the braces of a text. */
export function checkPrintText(check: ScreenCheck, written: string, at: Path): void {
  for (const path of pathsInText(written)) printedField(check, path, at);
}

const STAMPS = new Set(['id', 'created_at', 'updated_at', 'created_by', 'updated_by', 'version']);
const PICTURES = new Set(['image', 'signature']);

/** The printed field at the end of a path; null, and reported, if it does not exist or cannot be printed. */
function printedField(check: ScreenCheck, path: string, at: Path, row: readonly Field[] = []): Field | null {
  const field = fieldAt(check, path, at, row);
  if (!field) return null;
  if (field.secret || field.encrypted === true || field.rows || field.count) {
    check.report(at, `"${path}" is not printed.`, field.rows ? 'Print rows as a table.' : 'Name another field.');
    return null;
  }
  return field;
}

/** The field at the end of a path; null, and reported, if it does not exist. */
function fieldAt(check: ScreenCheck, path: string, at: Path, row: readonly Field[]): Field | null {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0 && STAMPS.has(first)) return null;
  let screen: Screen | undefined;
  let field: Field | undefined;
  let names = rest;
  if (first === 'company' && rest.length > 0) {
    screen = served(check, 'company');
    if (!screen) {
      check.report(at, 'No type serves as company.', 'Name a field of the record.');
      return null;
    }
    const [name = ''] = rest;
    field = screen.fields.find((one) => one.name === name);
    if (!field)
      check.unknown(
        at,
        name,
        screen.fields.map((one) => one.name),
        screen.title,
      );
    names = rest.slice(1);
  } else {
    field = row.find((one) => one.name === first) ?? check.field(first);
    if (!field) check.unknown(at, first, [...row.map((one) => one.name), ...check.names], 'print');
  }
  if (names.length > 3) check.report(at, `"${path}" follows more than three references.`, 'Begin nearer to the field.');
  for (const name of names) {
    if (!field) return null;
    const target: Screen | undefined = field.ref && check.all.drafts.get(field.ref.type)?.screen;
    if (!target) {
      check.report(at, `"${field.name}" refers to no record.`, 'Name a field, or a path of references.');
      return null;
    }
    field = target.fields.find((one) => one.name === name);
    if (!field)
      check.unknown(
        at,
        name,
        target.fields.map((one) => one.name),
        target.title,
      );
  }
  return field ?? null;
}

function served(check: ScreenCheck, kind: 'company' | 'branch' | 'terms'): Screen | undefined {
  return [...check.all.drafts.values()].find(({ screen: { serves } }) => typeof serves === 'object' && kind in serves)
    ?.screen;
}

function checkLetterhead(check: ScreenCheck, written: true | string, at: Path): void {
  if (!served(check, 'company')) check.report(at, 'No type serves as company.', 'Leave the letterhead out.');
  if (written === true) return;
  const field = printedField(check, written, at);
  const branch = served(check, 'branch');
  if (field && (!field.ref || field.ref.type !== branch?.name))
    check.report(at, `"${written}" leads to no branch.`, 'Write true for the head of the company.');
}

function checkPicture(check: ScreenCheck, path: string, at: Path): void {
  const field = printedField(check, path, at);
  if (field && !PICTURES.has(field.type))
    check.report(at, `"${path}" is not a picture.`, 'Name a field of the type image or signature.');
}

function checkTerms(check: ScreenCheck, use: string, at: Path): void {
  const terms = served(check, 'terms');
  const serves = terms?.serves;
  if (!terms || typeof serves !== 'object' || !('terms' in serves)) {
    check.report(at, 'No type serves as terms.', 'Leave the block out.');
    return;
  }
  const field = terms.fields.find(({ name }) => name === serves.terms.use);
  const uses = ((field?.schema.items?.enum ?? []) as unknown[]).map(String);
  if (!uses.includes(use)) check.report(at, `Terms are not used on "${use}".`, didYouMean(use, uses));
}

function checkTable(check: ScreenCheck, of: OnPaper, one: Extract<PrintBlock, { table: string }>, at: Path): void {
  const field = one.table.includes('.')
    ? fieldAt(check, one.table, [...at, 'table'], [])
    : (check.field(one.table) ?? null);
  if (field === null && one.table.includes('.')) return;
  if (!field?.rows) {
    check.report(
      [...at, 'table'],
      `"${one.table}" is not a field with child rows.`,
      didYouMean(one.table, check.columns.keys()),
    );
    return;
  }
  const { rows } = field;
  const names = rows.map(({ name }) => name);
  one.columns.forEach((path, index) => printedField(check, path, [...at, 'columns', index], rows));
  const max = MAX_COLUMNS[of.paper][of.landscape ? 1 : 0];
  if (one.columns.length > max)
    check.report(
      [...at, 'columns'],
      `${one.columns.length} columns do not fit on ${of.paper}; ${max} do.`,
      of.landscape ? 'Print fewer columns.' : 'Print fewer columns, or say "landscape": true.',
    );
  if (one.group !== undefined && !names.includes(one.group))
    check.report([...at, 'group'], `"${one.table}" has no column "${one.group}".`, didYouMean(one.group, names));
  if (one.rows !== undefined) check.serverExpression(one.rows, [...at, 'rows'], 'condition', names, rows);
  if (one.distinct === true && (one.group !== undefined || one.sum !== undefined))
    check.report([...at, 'distinct'], 'Groups and sums need every row.', 'Leave "distinct" out.');
  for (const [index, name] of (one.sum ?? []).entries()) {
    const column = rows.find((inner) => inner.name === name);
    if (!column || !one.columns.includes(name))
      check.report([...at, 'sum', index], `"${name}" is not a column of the table.`, didYouMean(name, one.columns));
    else if (!fieldType(column.type).can.sum)
      check.report([...at, 'sum', index], `"${name}" cannot be added up.`, 'Name a column of numbers.');
  }
}
