import type { PdfDict, PdfFile, PdfObject, PdfValue } from './pdf_file.ts';
import { isNamed } from './pdf_file.ts';

/** What would run when somebody opens or clicks a page of a file that was uploaded. */
const RUNS = ['/JavaScript', '/Launch', '/SubmitForm', '/ImportData'];
/** Entries of a page that concern its former file. */
const LEFT_BEHIND = new Set(['/Parent', '/B', '/StructParents', '/AA']);
const A4 = '[0 0 595.28 841.89]';

/** The objects of a new file. */
class Written {
  readonly #chunks: Buffer[] = [];
  readonly #places: number[] = [];
  #length = 0;
  #ids = 0;

  constructor() {
    // Bytes above 127 tell other programs that the file is not text.
    this.#add(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  }

  newId(): number {
    return ++this.#ids;
  }

  object(id: number, text: string, stream: Buffer | null = null): void {
    this.#places[id] = this.#length;
    this.#add(Buffer.from(`${id} 0 obj\n${text}\n`, 'latin1'));
    if (stream !== null) {
      this.#add(Buffer.from('stream\n'));
      this.#add(stream);
      this.#add(Buffer.from('\nendstream\n'));
    }
    this.#add(Buffer.from('endobj\n'));
  }

  end(root: number, info: number): Buffer {
    const at = this.#length;
    const rows = Array.from(
      { length: this.#ids },
      (_none, index) => `${String(this.#places[index + 1] ?? 0).padStart(10, '0')} 00000 n \n`,
    );
    this.#add(
      Buffer.from(
        `xref\n0 ${this.#ids + 1}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${this.#ids + 1} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${at}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(this.#chunks);
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}

/** A text in the notation for any script. */
const written = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** Copies the pages of a file with everything they use. @returns the numbers of the pages */
function copyPages(file: PdfFile, into: Written, parent: number): number[] {
  const ids = new Map<number, number>();
  const open: [id: number, object: PdfObject][] = [];
  const pages = file.pages.map((page) => {
    const id = into.newId();
    ids.set(page.id, id);
    return { id, dict: page.dict };
  });
  const referred = (old: number): string => {
    const known = ids.get(old);
    if (known !== undefined) return `${known} 0 R`;
    const object = file.objects.get(old);
    if (!object) return 'null';
    const { value } = object;
    // The pages' former places lead to the rest of their file.
    if (value.kind === 'dict' && (isNamed(value, '/Type', '/Pages') || isNamed(value, '/Type', '/Catalog')))
      return 'null';
    const id = into.newId();
    ids.set(old, id);
    open.push([id, object]);
    return `${id} 0 R`;
  };
  const entriesOf = ({ entries }: PdfDict, length: number | null): string =>
    [...entries]
      .filter(([name]) => name !== '/AA' && (length === null || name !== '/Length'))
      .map(([name, value]) => `${name} ${text(value)}`)
      .concat(length === null ? [] : [`/Length ${length}`])
      .join(' ');
  const text = (value: PdfValue): string => {
    if (value.kind === 'token') return value.text;
    if (value.kind === 'ref') return referred(value.id);
    if (value.kind === 'array') return `[${value.items.map(text).join(' ')}]`;
    return RUNS.some((name) => isNamed(value, '/S', name)) ? 'null' : `<< ${entriesOf(value, null)} >>`;
  };
  for (const { id, dict } of pages) {
    const entries = [...dict.entries].filter(([name]) => !LEFT_BEHIND.has(name));
    const size = dict.entries.has('/MediaBox') ? '' : ` /MediaBox ${A4}`;
    into.object(
      id,
      `<< ${entries.map(([name, value]) => `${name} ${text(value)}`).join(' ')}${size} /Parent ${parent} 0 R >>`,
    );
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, { value, stream }] = next;
    if (stream === null || value.kind !== 'dict') into.object(id, text(value));
    else into.object(id, `<< ${entriesOf(value, stream.length)} >>`, stream);
  }
  return pages.map(({ id }) => id);
}

/** One PDF with the pages of several, in their order. The same files give the same bytes. */
export function joinPdfs(files: readonly PdfFile[], { title, at }: { title: string; at: string }): Buffer {
  const into = new Written();
  const [root, parent, info] = [into.newId(), into.newId(), into.newId()];
  const pages = files.flatMap((file) => copyPages(file, into, parent));
  into.object(root, `<< /Type /Catalog /Pages ${parent} 0 R >>`);
  into.object(parent, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] >>`);
  const day = at.replaceAll(/\D/g, '').slice(0, 14).padEnd(14, '0');
  into.object(info, `<< /Title ${written(title)} /CreationDate (D:${day}Z) >>`);
  return into.end(root, info);
}
