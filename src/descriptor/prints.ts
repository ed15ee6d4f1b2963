/** A path of a record: a field, `customer_id.gstin` behind a reference, `company.gstin` of the company itself. */
export type PrintPath = string;

interface Conditional {
  /** Printed only if this holds. */
  when?: string;
}

/** A part of a printed document, named by what it is. */
export type PrintBlock = Conditional &
  (
    | { letterhead: true | PrintPath }
    | { heading: string }
    | { box: PrintPath[]; in?: 1 | 2 | 3 }
    | {
        table: string;
        columns: PrintPath[];
        title?: string;
        group?: string;
        sum?: string[];
        /** False: groups have their sums, all of them together none, as of offers to choose from. */
        total?: false;
        /** Only rows for which this holds. */
        rows?: string;
      }
    | { words: string }
    | { text: string; bold?: boolean; align?: 'left' | 'right' | 'center' }
    | { terms: string; title?: string }
    | { image: PrintPath; width?: number }
    | { sign: (string | { title: string; name?: PrintPath; image?: PrintPath })[] }
    | { qr: string; note?: string }
    | { columns: PrintBlock[][] }
    | { break: true }
  );

/** A copy that is printed only if a condition holds. */
export interface PrintCopy {
  mark: string;
  when: string;
}

/** A printed document of a record. */
export interface Print {
  name: string;
  title: string;
  paper: 'A4' | 'A5' | 'A6';
  landscape: boolean;
  /** Printed only of records for which this holds. */
  when?: string;
  /** Written across the pages, by state; under `*` in all others. */
  watermark: Readonly<Record<string, string>>;
  /** Marks of the copies that one file holds, such as "Original for recipient"; where none is printed the blocks stand once, without a mark. */
  copies?: (string | PrintCopy)[];
  /** The print of the same record whose blocks these are, also as a client designs it. */
  like?: string;
  blocks: PrintBlock[];
  /** How the client prints it, in place of that. */
  own?: OwnPrint[];
}

/** How a client prints a document. */
export interface OwnPrint extends Pick<Print, 'paper' | 'landscape' | 'blocks'> {
  /** Null: in all companies that have no design of their own. */
  company: number | null;
}

/** A print as a company has it: its own, else the client's, else the one that ships. */
export function printOfCompany(print: Print, company: number | null): Print {
  const own =
    print.own?.find((one) => one.company !== null && one.company === company) ??
    print.own?.find((one) => one.company === null);
  return own ? { ...print, paper: own.paper, landscape: own.landscape, blocks: own.blocks } : print;
}

/** What a block is: the word that it is written with. */
export const PRINT_BLOCKS = [
  'letterhead',
  'heading',
  'box',
  'table',
  'words',
  'text',
  'terms',
  'image',
  'sign',
  'qr',
  'columns',
  'break',
] as const;

/** Paths in braces of a text: "Dear {contact_id.name}". */
export function pathsInText(text: string): string[] {
  return [...text.matchAll(/\{([a-z_][\w.]*)\}/g)].map(([, path]) => path!);
}

/** What says of the type that is the company, or a branch, how it stands at the head of a letter. */
export interface Letterhead {
  /** Field of the name. */
  name: string;
  /** Field of the picture beside it. */
  logo?: string;
  /** Field of a picture that stands in place of all of it. */
  banner?: string;
  /** The fields of each line. Empty fields are omitted. */
  lines: string[][];
}

/** What says of the type of clauses which of them a document prints. */
export interface Terms {
  /** What a clause is used for: tags. */
  use: string;
  title: string;
  text: string;
  order: string;
  from: string;
  to: string;
  /** Left out where this yes-or-no says no. */
  chosen?: string;
}
