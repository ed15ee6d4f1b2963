/** The content of a printed document as data: no file paths, no addresses, nothing to be looked up later. */
export interface PrintContent {
  title: string;
  paper: PaperSize;
  landscape: boolean;
  /** ISO time written into the file; the same content gives the same bytes. */
  at: string;
  /** Across every page. */
  watermark: string | null;
  /** In the footer of every page, beside "Page x of y". */
  foot: string;
  blocks: ContentBlock[];
}

/** A document with others behind it in the same file; they are listed under its blocks. */
export interface EnclosingContent extends PrintContent {
  enclosed?: Enclosed[];
}

/** A document in the file of another one: its content, a stored file, or why it is missing. */
export type Enclosed = { title: string } & ({ content: PrintContent } | { file: number } | { missing: string });

/** The same with everything that the layout needs. */
export type LoadedEnclosed = { title: string } & (
  | { content: PrintContent }
  | { pdf: Uint8Array }
  | { missing: string }
);

/** A content whose pictures and files are loaded. */
export interface LoadedContent extends PrintContent {
  enclosed?: LoadedEnclosed[];
}

export type PaperSize = 'A3' | 'A4' | 'A5' | 'A6';

/** The room of a drawing on A3 landscape, in points. */
export const DRAWING_ROOM = { width: 1110, height: 725 } as const;

/** A box of a drawing with its texts, in points from the corner of the drawing. */
export interface DrawnBox {
  x: number;
  y: number;
  width: number;
  height: number;
  isDashed: boolean;
  name: string;
  lines: string[];
  /** In its lower corner: what the drawing leaves out. */
  more: string | null;
  /** The drawing, counted from 0, that continues it. */
  page: number | null;
}

/** A picture by the id of its stored file, or its bytes as a data URL once loaded. */
export type Picture = number | string;

export interface PrintColumn {
  title: string;
  align: 'left' | 'right';
  /** `fill` takes the remaining width. */
  width: 'fit' | 'fill';
}

export interface PrintedGroup {
  title: string | null;
  rows: string[][];
  /** By column, empty for columns without a sum; null = no totals row. */
  sums: string[] | null;
}

/** Room for a signature: who signs, what is known of it already, and lines under it such as place and date. */
export interface SignatureBox {
  title: string;
  name: string | null;
  picture: Picture | null;
  under?: string[];
}

export type ContentBlock =
  | { kind: 'letterhead'; name: string; lines: string[]; picture: Picture | null; banner: Picture | null }
  | { kind: 'heading'; text: string }
  | { kind: 'box'; columns: number; entries: { title: string; text: string }[] }
  | {
      kind: 'table';
      title: string | null;
      columns: PrintColumn[];
      groups: PrintedGroup[];
      /** Under all groups. */
      sums: string[] | null;
    }
  | { kind: 'text'; text: string; bold: boolean; align: 'left' | 'right' | 'center' }
  | { kind: 'list'; title: string | null; entries: { title: string | null; text: string }[] }
  /** With `height`: as large as fits. */
  | { kind: 'picture'; picture: Picture; width: number; height?: number }
  | { kind: 'signatures'; boxes: SignatureBox[] }
  | { kind: 'qr'; text: string; note: string | null }
  /** Boxes with lines between them on a page of its own. `back`: the drawing, counted from 0, that it continues. */
  | { kind: 'drawing'; title: string; back: number | null; lines: number[][]; boxes: DrawnBox[] }
  | { kind: 'columns'; columns: ContentBlock[][] }
  | { kind: 'break' };

/** Replaces the pictures of a content, including those in columns. `null` removes a picture. */
export async function withPictures(
  content: PrintContent,
  read: (picture: Picture) => Promise<Picture | null>,
): Promise<PrintContent> {
  const one = async (picture: Picture | null) => (picture === null ? null : read(picture));
  const blocks = (list: ContentBlock[]): Promise<ContentBlock[]> =>
    Promise.all(
      list.map(async (block): Promise<ContentBlock> => {
        switch (block.kind) {
          case 'letterhead':
            return { ...block, picture: await one(block.picture), banner: await one(block.banner) };
          case 'signatures':
            return {
              ...block,
              boxes: await Promise.all(block.boxes.map(async (box) => ({ ...box, picture: await one(box.picture) }))),
            };
          case 'columns':
            return { ...block, columns: await Promise.all(block.columns.map(blocks)) };
          case 'picture': {
            const picture = await read(block.picture);
            return picture === null ? { kind: 'text', text: '', bold: false, align: 'left' } : { ...block, picture };
          }
          default:
            return block;
        }
      }),
    );
  return { ...content, blocks: await blocks(content.blocks) };
}
