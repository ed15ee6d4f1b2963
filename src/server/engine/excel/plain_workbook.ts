/**
 * Reads the values of a workbook as written by spreadsheet programs (.xlsx). It does the work of the library in a fifth
 * of the time for the ordinary case; anything uncertain is left to the library.
 */
import { inflateRawSync } from 'node:zlib';
import * as XLSX from 'xlsx';
import { formatKind, shownNumber } from './number_formats.ts';
import type { FormatKind } from './number_formats.ts';
import type { CellValue, SheetRows, WorkbookSheet } from './workbook_sheet.ts';
import { areaOf, columnNumber } from './workbook_sheet.ts';
import { zipDirectory } from './zip_directory.ts';

/** An unusual workbook: the library reads it. */
class UnsupportedWorkbook extends Error {}

interface Entry {
  method: number;
  packed: number;
  unpacked: number;
  at: number;
}

const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar, which has a 29 February 1900, and of the old Macintosh calendar. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** The first and last valid day, in Excel's day numbers. */
const LAST_DAY = 2_958_465;
/** The maximum length of a cell's text in XML, including the formats of its runs. */
const LONGEST_ITEM = 500_000;

/** How the cells of a style show numbers, if not as plain numbers. */
interface CellStyle {
  kind: FormatKind;
  format: string;
}

/** The data needed to read the cells of a workbook. */
interface Book {
  strings: string[];
  styles: (CellStyle | null)[];
  from1904: boolean;
}

/**
 * A sheet: the named one, or the first visible one with content. Each row is an array by column, with holes for empty
 * cells; missing rows are holes too. null = read it with the library.
 */
export function readPlainWorkbook(bytes: Buffer, wanted?: string): WorkbookSheet | null {
  try {
    const entries = entriesOf(bytes);
    const text = (name: string): string | null => {
      const entry = entries.get(name);
      return entry === undefined ? null : textOf(bytes, entry);
    };
    const book = text('xl/workbook.xml');
    const relations = text('xl/_rels/workbook.xml.rels');
    if (book === null || relations === null) return null;
    const parts = [...relations.matchAll(/<Relationship\b([^<>]*)>/g)].map(([, of]) => ({
      id: attribute(of!, 'Id'),
      type: attribute(of!, 'Type') ?? '',
      target: partName(attribute(of!, 'Target') ?? ''),
    }));
    const shown = [...book.matchAll(/<sheet\b([^<>]*)>/g)].flatMap(([, of]) => {
      const part = parts.find(({ id }) => id === attribute(of!, 'r:id'));
      if (!part) throw new UnsupportedWorkbook();
      const hidden = /hidden/i.test(attribute(of!, 'state') ?? '');
      return hidden || !part.type.endsWith('/worksheet')
        ? []
        : [{ name: attribute(of!, 'name') ?? '', xml: text(part.target) }];
    });
    const filled = shown.filter(({ xml }) => xml === null || /<(?:v|is)[ >]/.test(xml));
    const sheet = wanted === undefined ? (filled[0] ?? shown[0]) : shown.find(({ name }) => name === wanted);
    if (!sheet || sheet.xml === null) return null;
    const other = (kind: string) => text(parts.find(({ type }) => type.endsWith(`/${kind}`))?.target ?? '');
    return {
      name: sheet.name,
      others: filled.flatMap(({ name }) => (name === sheet.name ? [] : [name])),
      ...rowsOf(sheet.xml, {
        strings: stringsOf(other('sharedStrings')),
        styles: stylesOf(other('styles')),
        from1904: /<workbookPr\b[^<>]*\sdate1904="(?:1|true)"/.test(book),
      }),
    };
  } catch (error) {
    if (error instanceof UnsupportedWorkbook) return null;
    // Invalid deflate data: the library reports the error.
    if ((error as { code?: string }).code?.startsWith('Z_') || error instanceof RangeError) return null;
    throw error;
  }
}

/** The files in the archive, by name. */
function entriesOf(bytes: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { name, encrypted, method, packed, unpacked, header } of zipDirectory(bytes)) {
    // Or larger than these fields can express.
    if (encrypted || (method !== 0 && method !== 8) || [packed, unpacked, header].includes(0xffffffff))
      throw new UnsupportedWorkbook();
    entries.set(name, {
      method,
      packed,
      unpacked,
      at: header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28),
    });
  }
  return entries;
}

/** A part as text. */
function textOf(bytes: Buffer, { method, packed, unpacked, at }: Entry): string {
  const data = bytes.subarray(at, at + packed);
  // A file that unpacks to more than declared is an attack.
  const plain = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(unpacked, 1) });
  const text = plain.toString('utf8');
  const declared = /^\uFEFF?<\?xml[^>]*encoding=["']([^"']+)/.exec(text)?.[1];
  if ((declared !== undefined && declared.toLowerCase() !== 'utf-8') || text.includes('\uFFFD') || text.includes('<!'))
    throw new UnsupportedWorkbook();
  return text;
}

function attribute(of: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(of)?.[1];
  return found === undefined ? undefined : plainText(found);
}

/** The name within the archive of a target of the workbook. */
function partName(target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  if (target.includes('..')) throw new UnsupportedWorkbook();
  return `xl/${target}`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Unescapes XML text. */
function plainText(text: string): string {
  if (!text.includes('&') && !text.includes('_x') && !text.includes('\r')) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (whole, name: string) => {
      if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
      const code =
        name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .replace(/_x([0-9a-fA-F]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The text of a string item: one run, or several with their own formats; phonetic hints are skipped. */
function itemText(item: string): string {
  // A cell has at most 32,767 characters; in much longer text, runs without an end tag would be searched repeatedly.
  if (item.length > LONGEST_ITEM) throw new UnsupportedWorkbook();
  let text = '';
  for (const [, closed, content] of item
    .replace(/<rPh\b[\s\S]*?<\/rPh>/g, '')
    .matchAll(/<t(?:\s[^>]*?)?(?:(\/)>|>([\s\S]*?)<\/t>)/g))
    if (closed === undefined) text += plainText(content!);
  return text;
}

/** The shared strings, by index. */
function stringsOf(xml: string | null): string[] {
  if (xml === null) return [];
  if (!xml.includes('<sst')) throw new UnsupportedWorkbook();
  const strings: string[] = [];
  for (let at = xml.indexOf('<si'); at >= 0; at = xml.indexOf('<si', at)) {
    const open = xml.indexOf('>', at);
    if (open < 0) throw new UnsupportedWorkbook();
    if (xml[open - 1] === '/') {
      strings.push('');
      at = open;
      continue;
    }
    const end = xml.indexOf('</si>', open);
    if (end < 0) throw new UnsupportedWorkbook();
    const item = xml.slice(open + 1, end);
    // Mostly one piece.
    strings.push(
      item.startsWith('<t>') && item.indexOf('</t>') === item.length - 4
        ? plainText(item.slice(3, -4))
        : itemText(item),
    );
    at = end;
  }
  return strings;
}

/** How the cells of a style show numbers, by style index. */
function stylesOf(xml: string | null): (CellStyle | null)[] {
  if (xml === null) return [];
  const own = new Map(
    [...xml.matchAll(/<numFmt\b([^<>]*)>/g)].map(([, of]) => [
      attribute(of!, 'numFmtId'),
      attribute(of!, 'formatCode') ?? '',
    ]),
  );
  const [from, end] = [xml.indexOf('<cellXfs'), xml.indexOf('</cellXfs>')];
  if (from < 0 || end < from) throw new UnsupportedWorkbook();
  const styles = xml.slice(from, end);
  const formats = XLSX.SSF.get_table() as Record<number, string>;
  return [...styles.matchAll(/<xf\b([^<>]*)>/g)].map(([, of]) => {
    const id = attribute(of!, 'numFmtId') ?? '0';
    const format = own.get(id) ?? formats[Number(id)];
    const kind = formatKind(format);
    return kind === null ? null : { kind, format: format! };
  });
}

/** A day number as a point in time, UTC. */
function dateOf(days: number, from1904: boolean): Date {
  if (days < 0 || days > LAST_DAY) throw new UnsupportedWorkbook();
  if (from1904) return new Date(DAY_0_OF_1904 + Math.round(days * DAY_MS));
  // Excel's calendar has one day too many, the 60th.
  return new Date(DAY_0 + Math.round((days < 60 ? days + 1 : days) * DAY_MS));
}

function rowsOf(xml: string, book: Book): Pick<WorkbookSheet, 'rows' | 'unsaved' | 'merged' | 'hiddenRows'> {
  const from = xml.indexOf('<sheetData');
  if (!xml.includes('<worksheet') || from < 0) throw new UnsupportedWorkbook();
  const rows: SheetRows = [];
  const unsaved: [number, number][] = [];
  let hiddenRows = 0;
  let next = 0;
  for (let at = xml.indexOf('<row', from); at >= 0; at = xml.indexOf('<row', at)) {
    const open = xml.indexOf('>', at);
    if (open < 0) throw new UnsupportedWorkbook();
    const head = xml.slice(at, open);
    const number = attributeOf(head, ' r="');
    next = number === null ? next : Number(number) - 1;
    if (!Number.isInteger(next) || next < rows.length || next > 1_048_575) throw new UnsupportedWorkbook();
    at = open;
    if (xml[open - 1] !== '/') {
      const end = xml.indexOf('</row>', open);
      if (end < 0) throw new UnsupportedWorkbook();
      const cells = cellsOf(xml.slice(open + 1, end), book, (column) => unsaved.push([next, column]));
      if (cells.length > 0) {
        rows.length = next;
        rows.push(cells);
        if (head.includes(' hidden="1"') || head.includes(' hidden="true"')) hiddenRows++;
      }
      at = end;
    }
    next++;
  }
  const merged = [...xml.slice(xml.indexOf('</sheetData>')).matchAll(/<mergeCell\b[^<>]*\sref="([^"]*)"/g)].flatMap(
    ([, reference]) => areaOf(reference!) ?? [],
  );
  return { rows, unsaved, merged, hiddenRows };
}

/** The value of an attribute; its name is given with a leading space and trailing `="`. */
function attributeOf(text: string, name: string): string | null {
  const at = text.indexOf(name);
  if (at < 0) {
    if (text.includes("'")) throw new UnsupportedWorkbook();
    return null;
  }
  const from = at + name.length;
  const end = text.indexOf('"', from);
  return text.slice(from, end);
}

function cellsOf(row: string, book: Book, unsaved: (column: number) => void): CellValue[] {
  const cells: CellValue[] = [];
  let column = 0;
  for (let at = row.indexOf('<c'); at >= 0; at = row.indexOf('<c', at)) {
    const open = row.indexOf('>', at);
    if (open < 0) throw new UnsupportedWorkbook();
    const head = row.slice(at, open);
    const name = attributeOf(head, ' r="');
    if (name !== null) column = columnNumber(name);
    if (column < cells.length || column > 16_383) throw new UnsupportedWorkbook();
    at = open;
    if (row[open - 1] !== '/') {
      const end = row.indexOf('</c>', open);
      if (end < 0) throw new UnsupportedWorkbook();
      const value = valueOf(head, row.slice(open + 1, end), book);
      if (value === undefined) unsaved(column);
      else if (value !== null) {
        cells.length = column;
        cells.push(value);
      }
      at = end;
    }
    column++;
  }
  return cells;
}

/** The content of a cell; null = empty, undefined = the result of its formula was not saved. For an error, its name. */
function valueOf(head: string, body: string, book: Book): CellValue | undefined {
  const kind = attributeOf(head, ' t="');
  if (kind === 'inlineStr') {
    const text = itemText(body);
    return text === '' ? null : text;
  }
  const text = writtenValue(body);
  // An empty value: programs that only write formulas leave the calculation to Excel.
  if (text === '' && kind !== 'str') return body.includes('<f') ? undefined : null;
  if (text === null) return null;
  switch (kind) {
    case 's': {
      const shared = book.strings[Number(text)];
      if (shared === undefined) throw new UnsupportedWorkbook();
      return shared;
    }
    case 'str':
      return plainText(text);
    case 'b':
      return text === '1' || text === 'true';
    case 'e':
      return plainText(text);
    case null:
    case 'n': {
      const number = Number(text);
      if (Number.isNaN(number)) throw new UnsupportedWorkbook();
      const style = attributeOf(head, ' s="');
      const shown = style === null ? null : book.styles[Number(style)];
      if (!shown) return number;
      return shown.kind === 'date' ? dateOf(number, book.from1904) : shownNumber(number, shown.kind, shown.format);
    }
    default:
      throw new UnsupportedWorkbook();
  }
}

/** The text of a cell's value; '' if a formula has none, null = neither. */
function writtenValue(body: string): string | null {
  let at = body.indexOf('<v>') + 3;
  if (at === 2) {
    const open = /<v(?:\s[^<>]*|\/)?>/.exec(body);
    if (!open) return body.includes('<f') ? '' : null;
    if (open[0].endsWith('/>')) return '';
    at = open.index + open[0].length;
  }
  const end = body.indexOf('</v>', at);
  if (end < 0) throw new UnsupportedWorkbook();
  return body.slice(at, end);
}
