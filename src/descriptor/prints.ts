/** A path from a record: a field, `customer_id.gstin` behind a reference, `company.gstin` of the company itself. */
export type PrintPath = string;

interface Conditional {
  /** Printed only if this condition is true. */
  when?: string;
}

/** A block of a printed document, by kind. */
export type PrintBlock = Conditional &
  (
    | { letterhead: true | PrintPath }
    | { heading: string }
    | { box: PrintPath[]; in?: 1 | 2 | 3 }
    | {
        /** A field with child rows, also behind references: `customer_id.contacts`. */
        table: PrintPath;
        columns: PrintPath[];
        title?: string;
        group?: string;
        sum?: string[];
        /** False: only groups have totals, for instance if one of several offers is to be chosen. */
        total?: false;
        /** Only rows that meet this condition. */
        rows?: string;
        /** Rows with the same printed values appear once; not with groups or sums. */
        distinct?: true;
      }
    | { words: string }
    | { text: string; bold?: boolean; align?: 'left' | 'right' | 'center' }
    | { terms: string; title?: string }
    | { image: PrintPath; width?: number }
    | { sign: (string | { title: string; name?: PrintPath; image?: PrintPath; under?: string[] })[] }
    | { qr: string; note?: string }
    | { columns: PrintBlock[][] }
    | { break: true }
  );

/** Documents that a print encloses: of another record, or the files in rows of the record itself. */
export type PrintEnclosure =
  | {
      title: string;
      /** The first record of this type, in this order, that refers to the record in its field `by`. */
      of: string;
      by: string;
      filter?: unknown[];
      sort?: string;
      /** A reference of that record: the document is of the record referred to. */
      via?: string;
      /** A field with the document; if it is empty, or left out, the print. */
      file?: string;
      print?: string;
    }
  | {
      /** The rows, their file, and the list of values that says what it is. */
      rows: string;
      file: string;
      title: string;
      when?: string;
      /** Values of which there should be a row. */
      needs?: string[];
    };

/** A copy that is printed only if a condition is true. */
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
  /** Printed only for records that meet this condition. */
  when?: string;
  /** Watermark on the pages, by state; under `*` for all others. */
  watermark: Readonly<Record<string, string>>;
  /**
   * Marks of the copies in one file, such as "Original for recipient"; if none is printed, the blocks are printed once,
   * without a mark.
   */
  copies?: (string | PrintCopy)[];
  /** The print of the same record whose blocks are used, including the client's design. */
  like?: string;
  blocks: PrintBlock[];
  /** Documents that follow in the same file. */
  enclose?: PrintEnclosure[];
  /** The client's design, which replaces it. */
  own?: OwnPrint[];
}

/** A client's design of a document. */
export interface OwnPrint extends Pick<Print, 'paper' | 'landscape' | 'blocks'> {
  /** Null: for all companies without their own design. */
  company: number | null;
}

/** A print for a company: its own design, otherwise the client's, otherwise the one that ships. */
export function printOfCompany(print: Print, company: number | null): Print {
  const own =
    print.own?.find((one) => one.company !== null && one.company === company) ??
    print.own?.find((one) => one.company === null);
  return own ? { ...print, paper: own.paper, landscape: own.landscape, blocks: own.blocks } : print;
}

/** The kind of a block: the word with which it is written. */
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

/** Paths in the braces of a text: "Dear {contact_id.name}". */
export function pathsInText(text: string): string[] {
  return [...text.matchAll(/\{([a-z_][\w.]*)\}/g)].map(([, path]) => path!);
}

/** The letterhead fields of the company or branch type. */
export interface Letterhead {
  /** Field of the name. */
  name: string;
  /** Field with the picture beside it. */
  logo?: string;
  /** Field with a picture that replaces the letterhead. */
  banner?: string;
  /** The fields of each line. Empty fields are omitted. */
  lines: string[][];
}

/** The clause type's fields that decide which clauses a document prints. */
export interface Terms {
  /** The uses of a clause: tags. */
  use: string;
  title: string;
  text: string;
  order: string;
  from: string;
  to: string;
  /** A clause is left out if this yes-or-no field is no. */
  chosen?: string;
}
