/**
 * Reads the values of a workbook as spreadsheet programs write it (.xlsx). It does what the library does, in a fifth of
 * its time, for the plain case: whatever it does not know for certain it leaves to the library.
 */
import { inflateRawSync } from 'node:zlib';
import * as XLSX from 'xlsx';
import { zipDirectory } from './zip_directory.ts';

/** Something of a workbook is not as it mostly is: the library reads it. */
class NotPlain extends Error {}

export type CellValue = string | number | boolean | Date | null;

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

/**
 * The rows of the first sheet: each an array by column, holes where nothing is written; rows that are not there are
 * holes too. null = read it with the library.
 */
export function readPlainWorkbook(bytes: Buffer): (CellValue[] | undefined)[] | null {
  try {
    const entries = entriesOf(bytes);
    const text = (name: string): string | null => {
      const entry = entries.get(name);
      return entry === undefined ? null : textOf(bytes, entry);
    };
    const book = text('xl/workbook.xml');
    const relations = text('xl/_rels/workbook.xml.rels');
    if (book === null || relations === null) return null;
    const sheet = /<sheet\b[^<>]*?\sr:id="([^"]+)"/.exec(book)?.[1];
    const parts = [...relations.matchAll(/<Relationship\b([^<>]*)>/g)].map(([, of]) => ({
      id: attribute(of!, 'Id'),
      type: attribute(of!, 'Type') ?? '',
      target: partName(attribute(of!, 'Target') ?? ''),
    }));
    const first = parts.find(({ id }) => id === sheet);
    if (sheet === undefined || !first?.type.endsWith('/worksheet')) return null;
    const xml = text(first.target);
    if (xml === null) return null;
    const other = (kind: string) => text(parts.find(({ type }) => type.endsWith(`/${kind}`))?.target ?? '');
    return rowsOf(
      xml,
      stringsOf(other('sharedStrings')),
      dateStyles(other('styles')),
      /<workbookPr\b[^<>]*\sdate1904="(?:1|true)"/.test(book),
    );
  } catch (error) {
    if (error instanceof NotPlain) return null;
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
      throw new NotPlain();
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
    throw new NotPlain();
  return text;
}

function attribute(of: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(of)?.[1];
  return found === undefined ? undefined : plainText(found);
}

/** The name within the file of what the workbook points to. */
function partName(target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  if (target.includes('..')) throw new NotPlain();
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
  if (item.length > LONGEST_ITEM) throw new NotPlain();
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
  if (!xml.includes('<sst')) throw new NotPlain();
  const strings: string[] = [];
  for (let at = xml.indexOf('<si'); at >= 0; at = xml.indexOf('<si', at)) {
    const open = xml.indexOf('>', at);
    if (open < 0) throw new NotPlain();
    if (xml[open - 1] === '/') {
      strings.push('');
      at = open;
      continue;
    }
    const end = xml.indexOf('</si>', open);
    if (end < 0) throw new NotPlain();
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

/** Whether the cells of a style show dates, by its number. */
function dateStyles(xml: string | null): boolean[] {
  if (xml === null) return [];
  const own = new Map(
    [...xml.matchAll(/<numFmt\b([^<>]*)>/g)].map(([, of]) => [
      attribute(of!, 'numFmtId'),
      attribute(of!, 'formatCode') ?? '',
    ]),
  );
  const [from, end] = [xml.indexOf('<cellXfs'), xml.indexOf('</cellXfs>')];
  if (from < 0 || end < from) throw new NotPlain();
  const styles = xml.slice(from, end);
  const formats = XLSX.SSF.get_table() as Record<number, string>;
  return [...styles.matchAll(/<xf\b([^<>]*)>/g)].map(([, of]) => {
    const id = attribute(of!, 'numFmtId') ?? '0';
    const format = own.get(id) ?? formats[Number(id)];
    return format !== undefined && (XLSX.SSF.is_date(format) as boolean);
  });
}

/** A number of days as the moment it means, UTC. */
function dateOf(days: number, from1904: boolean): Date {
  if (days < 0 || days > LAST_DAY) throw new NotPlain();
  if (from1904) return new Date(DAY_0_OF_1904 + Math.round(days * DAY_MS));
  // Excel's calendar has a day too many, the 60th.
  return new Date(DAY_0 + Math.round((days < 60 ? days + 1 : days) * DAY_MS));
}

/** The number of the column that a cell's name begins with: A = 0; -1 = it has none. */
function columnOf(name: string): number {
  let column = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

function rowsOf(xml: string, strings: string[], dates: boolean[], from1904: boolean): (CellValue[] | undefined)[] {
  const from = xml.indexOf('<sheetData');
  if (!xml.includes('<worksheet') || from < 0) throw new NotPlain();
  const rows: (CellValue[] | undefined)[] = [];
  let next = 0;
  for (let at = xml.indexOf('<row', from); at >= 0; at = xml.indexOf('<row', at)) {
    const open = xml.indexOf('>', at);
    if (open < 0) throw new NotPlain();
    const number = attributeOf(xml.slice(at, open), ' r="');
    next = number === null ? next : Number(number) - 1;
    if (!Number.isInteger(next) || next < rows.length || next > 1_048_575) throw new NotPlain();
    at = open;
    if (xml[open - 1] !== '/') {
      const end = xml.indexOf('</row>', open);
      if (end < 0) throw new NotPlain();
      const cells = cellsOf(xml.slice(open + 1, end), strings, dates, from1904);
      if (cells.length > 0) {
        rows.length = next;
        rows.push(cells);
      }
      at = end;
    }
    next++;
  }
  return rows;
}

/** The value of an attribute whose name, with a space before and `="` behind, is given. */
function attributeOf(text: string, name: string): string | null {
  const at = text.indexOf(name);
  if (at < 0) {
    if (text.includes("'")) throw new NotPlain();
    return null;
  }
  const from = at + name.length;
  const end = text.indexOf('"', from);
  return text.slice(from, end);
}

function cellsOf(row: string, strings: string[], dates: boolean[], from1904: boolean): CellValue[] {
  const cells: CellValue[] = [];
  let column = 0;
  for (let at = row.indexOf('<c'); at >= 0; at = row.indexOf('<c', at)) {
    const open = row.indexOf('>', at);
    if (open < 0) throw new NotPlain();
    const head = row.slice(at, open);
    const name = attributeOf(head, ' r="');
    if (name !== null) column = columnOf(name);
    if (column < cells.length || column > 16_383) throw new NotPlain();
    at = open;
    if (row[open - 1] !== '/') {
      const end = row.indexOf('</c>', open);
      if (end < 0) throw new NotPlain();
      const value = valueOf(head, row.slice(open + 1, end), strings, dates, from1904);
      if (value !== null) {
        cells.length = column;
        cells.push(value);
      }
      at = end;
    }
    column++;
  }
  return cells;
}

/** What a cell holds; null = nothing. Of an error it is its name. */
function valueOf(head: string, body: string, strings: string[], dates: boolean[], from1904: boolean): CellValue {
  const kind = attributeOf(head, ' t="');
  if (kind === 'inlineStr') {
    const text = itemText(body);
    return text === '' ? null : text;
  }
  let at = body.indexOf('<v>') + 3;
  if (at === 2) {
    const open = body.indexOf('<v ');
    if (open < 0) return null;
    at = body.indexOf('>', open) + 1;
    if (at === 0 || body[at - 2] === '/') throw new NotPlain();
  }
  const end = body.indexOf('</v>', at);
  if (end < 0) throw new NotPlain();
  const text = body.slice(at, end);
  switch (kind) {
    case 's': {
      const shared = strings[Number(text)];
      if (shared === undefined) throw new NotPlain();
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
      if (text === '' || Number.isNaN(number)) throw new NotPlain();
      const style = attributeOf(head, ' s="');
      return style !== null && dates[Number(style)] === true ? dateOf(number, from1904) : number;
    }
    default:
      throw new NotPlain();
  }
}
