/**
 * Reads the values of a workbook as spreadsheet programs write it (.xlsx). It does what the library does, in a fifth of
 * its time, for the plain case: whatever it does not know for certain it leaves to the library.
 */
import { inflateRawSync } from 'node:zlib';
import * as XLSX from 'xlsx';
import { formatKind, shownNumber } from './number_formats.ts';
import type { FormatKind } from './number_formats.ts';
import type { CellValue, SheetRows, WorkbookSheet } from './workbook_sheet.ts';
import { areaOf, columnNumber } from './workbook_sheet.ts';
import { zipDirectory } from './zip_directory.ts';

/** Something of a workbook is not as it mostly is: the library reads it. */
class UnsupportedWorkbook extends Error {}

interface Entry {
  method: number;
  packed: number;
  unpacked: number;
  at: number;
}

const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar, which has a 29 February 1900, and of that of old Macintoshes. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** From the first to the last day that a date may be, as Excel counts them. */
const LAST_DAY = 2_958_465;
/** Characters of a cell's text as written, formats of its pieces and all. */
const LONGEST_ITEM = 500_000;

/** How the cells of a style show numbers, where they do not show them as they are. */
interface CellStyle {
  kind: FormatKind;
  format: string;
}

/** What the cells of a workbook are read with. */
interface Book {
  strings: string[];
  styles: (CellStyle | null)[];
  from1904: boolean;
}

/**
 * A sheet: the one named, or the first that is shown and holds something. Each row is an array by column, holes where
 * nothing is written; rows that are not there are holes too. null = read it with the library.
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
    // Bytes that are no deflate stream: the library says what is wrong with the file.
    if ((error as { code?: string }).code?.startsWith('Z_') || error instanceof RangeError) return null;
    throw error;
  }
}

/** The parts of the file, by name. */
function entriesOf(bytes: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { name, encrypted, method, packed, unpacked, header } of zipDirectory(bytes)) {
    // Or larger than these numbers can say.
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
  // A part that unpacks to more than it says is an attack.
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

/** The name within the file of what the workbook points to. */
function partName(target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  if (target.includes('..')) throw new UnsupportedWorkbook();
  return `xl/${target}`;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text as it was before it was written into XML. */
function plainText(text: string): string {
  if (!text.includes('&') && !text.includes('_x') && !text.includes('\r')) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (whole, name: string) => {
      if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
      const code =
        name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
      return String.fromCodePoint(code);
    })
    .replace(/_x([0-9a-fA-F]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The text of a string item: one piece, or several with formats of their own; what says how it sounds is left out. */
function itemText(item: string): string {
  // A cell holds 32,767 characters; in what is far longer, pieces without an end would be looked for again and again.
  if (item.length > LONGEST_ITEM) throw new UnsupportedWorkbook();
  let text = '';
  for (const [, closed, content] of item
    .replace(/<rPh\b[\s\S]*?<\/rPh>/g, '')
    .matchAll(/<t(?:\s[^>]*?)?(?:(\/)>|>([\s\S]*?)<\/t>)/g))
    if (closed === undefined) text += plainText(content!);
  return text;
}

/** The texts that cells share, by number. */
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

/** How the cells of a style show numbers, by its number. */
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

/** A number of days as the moment it means, UTC. */
function dateOf(days: number, from1904: boolean): Date {
  if (days < 0 || days > LAST_DAY) throw new UnsupportedWorkbook();
  if (from1904) return new Date(DAY_0_OF_1904 + Math.round(days * DAY_MS));
  // Excel's calendar has a day too many, the 60th.
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

/** The value of an attribute whose name, with a space before and `="` behind, is given. */
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

/** What a cell holds; null = nothing, undefined = the result of its formula was not saved. Of an error it is its name. */
function valueOf(head: string, body: string, book: Book): CellValue | undefined {
  const kind = attributeOf(head, ' t="');
  if (kind === 'inlineStr') {
    const text = itemText(body);
    return text === '' ? null : text;
  }
  const text = writtenValue(body);
  // A number that is not there: programs that only write formulas leave it to Excel to work them out.
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

/** What stands in the value of a cell; '' also where a formula has none, null = there is neither. */
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
