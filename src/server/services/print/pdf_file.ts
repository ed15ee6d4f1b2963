import { inflateSync } from 'node:zlib';

/** A value of a PDF. Numbers, names and texts stay as they are written. */
export type PdfValue =
  | { kind: 'token'; text: string }
  | { kind: 'ref'; id: number }
  | { kind: 'array'; items: PdfValue[] }
  | PdfDict;

export interface PdfDict {
  kind: 'dict';
  /** By name, with its slash. */
  entries: Map<string, PdfValue>;
}

export interface PdfObject {
  value: PdfValue;
  stream: Buffer | null;
}

/** A PDF that was read: its pages in order, and the objects that they use. */
export interface PdfFile {
  objects: ReadonlyMap<number, PdfObject>;
  pages: { id: number; dict: PdfDict }[];
}

/** The file cannot be joined with others; the message says why. */
export class PdfUnreadable extends Error {}

const DAMAGED = 'the file is damaged';
const LOCKED = 'the file is protected by a password';

/** Limits, because anybody may upload a file. */
const MAX_DEPTH = 100;
const MAX_PAGES = 1_000;
const MAX_UNPACKED = 64 * 1024 * 1024;

const WHITE = '\0\t\n\f\r ';
const ENDS = `${WHITE}()<>[]{}/%`;
const REF = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?=[\0\t\n\f\r ()<>[\]{}/%]|$)/y;
/** The start of an object or of a trailer. */
const START = /(?<![^\0\t\n\f\r >])(?:(\d{1,10})[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj|trailer)(?![a-z])/g;

/** Reads values from the text of a PDF, one byte per character. */
class Reader {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  space(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char !== undefined && WHITE.includes(char)) this.at++;
      else if (char === '%') while (this.at < this.text.length && !'\r\n'.includes(this.text[this.at]!)) this.at++;
      else return;
    }
  }

  /** @throws PdfUnreadable */
  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new PdfUnreadable(DAMAGED);
    this.space();
    const { text, at } = this;
    const char = text[at];
    if (char === undefined) throw new PdfUnreadable(DAMAGED);
    if (char === '(') return this.#literal();
    if (char === '[') return this.#array(depth);
    if (char === '<') return text[at + 1] === '<' ? this.#dict(depth) : this.#until('>');
    if (char === '/') return this.#word(1);
    REF.lastIndex = at;
    const found = /\d/.test(char) ? REF.exec(text) : null;
    if (found) {
      this.at = REF.lastIndex;
      return { kind: 'ref', id: Number(found[1]) };
    }
    return this.#word(0);
  }

  #word(from: number): PdfValue {
    const start = this.at;
    let end = start + from;
    while (end < this.text.length && !ENDS.includes(this.text[end]!)) end++;
    if (end === start) throw new PdfUnreadable(DAMAGED);
    this.at = end;
    return { kind: 'token', text: this.text.slice(start, end) };
  }

  #until(last: string): PdfValue {
    const end = this.text.indexOf(last, this.at);
    if (end === -1) throw new PdfUnreadable(DAMAGED);
    const text = this.text.slice(this.at, end + 1);
    this.at = end + 1;
    return { kind: 'token', text };
  }

  #literal(): PdfValue {
    const start = this.at;
    let open = 0;
    for (let at = start; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\') at++;
      else if (char === '(') open++;
      else if (char === ')' && --open === 0) {
        this.at = at + 1;
        return { kind: 'token', text: this.text.slice(start, at + 1) };
      }
    }
    throw new PdfUnreadable(DAMAGED);
  }

  #array(depth: number): PdfValue {
    this.at++;
    const items: PdfValue[] = [];
    for (;;) {
      this.space();
      if (this.text[this.at] === ']') {
        this.at++;
        return { kind: 'array', items };
      }
      items.push(this.value(depth + 1));
    }
  }

  #dict(depth: number): PdfDict {
    this.at += 2;
    const entries = new Map<string, PdfValue>();
    for (;;) {
      this.space();
      if (this.text.startsWith('>>', this.at)) {
        this.at += 2;
        return { kind: 'dict', entries };
      }
      const name = this.value(depth + 1);
      if (name.kind !== 'token' || !name.text.startsWith('/')) throw new PdfUnreadable(DAMAGED);
      entries.set(name.text, this.value(depth + 1));
    }
  }
}

interface Placed extends PdfObject {
  /** Where it is in the file: of objects with the same number the last one counts. */
  at: number;
  /** Its length stands in another object. */
  length?: number;
}

class Objects {
  readonly all = new Map<number, Placed>();
  root: PdfValue | undefined;
  isLocked = false;

  dict(value: PdfValue | undefined): PdfDict | null {
    const found = this.resolved(value);
    return found?.kind === 'dict' ? found : null;
  }

  resolved(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let hops = 0; found?.kind === 'ref' && hops < MAX_DEPTH; hops++) found = this.all.get(found.id)?.value;
    return found?.kind === 'ref' ? undefined : found;
  }

  number(value: PdfValue | undefined): number | null {
    const found = this.resolved(value);
    return found?.kind === 'token' && /^\d+$/.test(found.text) ? Number(found.text) : null;
  }

  trailer({ entries }: PdfDict): void {
    this.root = entries.get('/Root') ?? this.root;
    if (entries.has('/Encrypt')) this.isLocked = true;
  }
}

export const isNamed = (dict: PdfDict, entry: string, name: string): boolean => {
  const found = dict.entries.get(entry);
  return found?.kind === 'token' && found.text === name;
};

/** The end of a stream that begins at a place: by its length if that is right, otherwise by the word after it. */
function endOfStream(text: string, from: number, length: number | null): number {
  if (length !== null && /^[\0\t\n\f\r ]*endstream/.test(text.slice(from + length, from + length + 20)))
    return from + length;
  let end = text.indexOf('endstream', from);
  if (end === -1) throw new PdfUnreadable(DAMAGED);
  if (text[end - 1] === '\n') end--;
  if (text[end - 1] === '\r') end--;
  return Math.max(end, from);
}

/** All objects of a file, whatever its table of them says: files with errors in it are common. */
function scan(bytes: Buffer, text: string): Objects {
  const found = new Objects();
  for (;;) {
    const start = START.exec(text);
    if (!start) break;
    const reader = new Reader(text, START.lastIndex);
    let value: PdfValue;
    try {
      value = reader.value();
    } catch {
      // What looks like an object inside other data.
      continue;
    }
    START.lastIndex = reader.at;
    if (start[1] === undefined) {
      if (value.kind === 'dict') found.trailer(value);
      continue;
    }
    reader.space();
    const word = value.kind === 'dict' ? /^stream(\r\n|\n|\r)/.exec(text.slice(reader.at, reader.at + 8)) : null;
    let stream: Buffer | null = null;
    let length: number | undefined;
    if (word && value.kind === 'dict') {
      const from = reader.at + word[0].length;
      const written = value.entries.get('/Length');
      const end = endOfStream(text, from, written?.kind === 'token' ? Number(written.text) : null);
      stream = bytes.subarray(from, end);
      if (written?.kind === 'ref') length = written.id;
      START.lastIndex = end;
      if (isNamed(value, '/Type', '/XRef')) found.trailer(value);
    }
    found.all.set(Number(start[1]), {
      value,
      stream,
      at: start.index,
      ...(length !== undefined && { length }),
    });
  }
  START.lastIndex = 0;
  for (const one of found.all.values()) {
    const length = one.length === undefined ? null : found.number({ kind: 'ref', id: one.length });
    if (one.stream !== null && length !== null && length < one.stream.length)
      one.stream = one.stream.subarray(0, length);
  }
  return found;
}

/** Adds the objects that are packed in streams. */
function unpack(found: Objects): void {
  let room = MAX_UNPACKED;
  const packed = [...found.all.values()].filter(
    ({ value }) => value.kind === 'dict' && isNamed(value, '/Type', '/ObjStm'),
  );
  for (const { value, stream, at } of packed) {
    if (value.kind !== 'dict' || stream === null) continue;
    const filter = found.resolved(value.entries.get('/Filter'));
    const first = filter?.kind === 'array' ? found.resolved(filter.items[0]) : filter;
    const isSupported = first?.kind === 'token' && first.text === '/FlateDecode' && !value.entries.has('/DecodeParms');
    if (filter !== undefined && !isSupported) throw new PdfUnreadable('the file is packed in a way that is not known');
    const text = (filter === undefined ? stream : inflated(stream, room)).toString('latin1');
    room -= text.length;
    const [count, begin] = [found.number(value.entries.get('/N')), found.number(value.entries.get('/First'))];
    if (count === null || begin === null) throw new PdfUnreadable(DAMAGED);
    const numbers = text.slice(0, begin).trim().split(/\s+/).map(Number);
    for (let one = 0; one < Math.min(count, Math.floor(numbers.length / 2)); one++) {
      const [id, offset] = [numbers[one * 2]!, numbers[one * 2 + 1]!];
      if ((found.all.get(id)?.at ?? -1) > at) continue;
      found.all.set(id, { value: new Reader(text, begin + offset).value(), stream: null, at });
    }
  }
}

function inflated(stream: Buffer, most: number): Buffer {
  try {
    return inflateSync(stream, { maxOutputLength: Math.max(most, 1) });
  } catch {
    throw new PdfUnreadable(DAMAGED);
  }
}

/** What a page takes over from the groups above it. */
const INHERITED = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'] as const;

function pagesOf(found: Objects): PdfFile['pages'] {
  const pages: PdfFile['pages'] = [];
  const seen = new Set<number>();
  const walk = (value: PdfValue | undefined, above: ReadonlyMap<string, PdfValue>, depth: number): void => {
    if (value?.kind !== 'ref' || seen.has(value.id) || depth > MAX_DEPTH) return;
    seen.add(value.id);
    const dict = found.dict(value);
    if (!dict) return;
    const own = new Map(above);
    for (const name of INHERITED) {
      const entry = dict.entries.get(name);
      if (entry) own.set(name, entry);
    }
    const kids = found.resolved(dict.entries.get('/Kids'));
    if (kids?.kind === 'array') for (const kid of kids.items) walk(kid, own, depth + 1);
    else pages.push({ id: value.id, dict: { kind: 'dict', entries: new Map([...dict.entries, ...own]) } });
    if (pages.length > MAX_PAGES) throw new PdfUnreadable(`the file has more than ${MAX_PAGES} pages`);
  };
  walk(found.dict(found.root)?.entries.get('/Pages'), new Map(), 0);
  return pages;
}

/** Reads a PDF. @throws PdfUnreadable */
export function readPdf(bytes: Buffer): PdfFile {
  const text = bytes.toString('latin1');
  if (!text.slice(0, 1_024).includes('%PDF-')) throw new PdfUnreadable('the file is no PDF');
  const found = scan(bytes, text);
  if (found.isLocked) throw new PdfUnreadable(LOCKED);
  unpack(found);
  const pages = pagesOf(found);
  if (pages.length === 0) throw new PdfUnreadable(DAMAGED);
  return { objects: found.all, pages };
}
