import type { Content, ContentTable, ContentText, CustomTableLayout, Node, TableCell } from 'pdfmake/interfaces.js';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import type { ContentBlock, DrawnBox, PrintColumn, PrintContent } from './print_content.ts';
import { fontRuns } from './print_fonts.ts';

/** Points from the edges of the paper; the foot stands in the lower one. */
const MARGINS: [left: number, top: number, right: number, bottom: number] = [40, 36, 40, 48];
const GREY = '#5c5c5c';
const LINE = '#bdbdbd';
const SHADE = '#f3f3f3';

/** A text split by the required fonts. */
function written(text: string): ContentText['text'] {
  const runs = fontRuns(text);
  return runs.length === 1 && runs[0]!.font === 'latin'
    ? text
    : runs.map((run) => ({ text: run.text, font: run.font }));
}

/** Lines between rows, none at the sides. */
const RULED: CustomTableLayout = {
  hLineWidth: (line, node) => (line === 0 || line === node.table.body.length ? 0.8 : 0.4),
  vLineWidth: () => 0,
  hLineColor: () => LINE,
  paddingLeft: () => 4,
  paddingRight: () => 4,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};

/** Nothing but room. */
const PLAIN: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 8,
  paddingTop: () => 1.5,
  paddingBottom: () => 1.5,
};

/** The pages of the first and the last of rows that must stay together, by their mark. */
export type PagesOfRows = Map<string, { first: number; last: number }>;

interface Laying {
  /** Number of the next group of rows that must stay together. */
  next: number;
  /** Before these the table starts a new page. */
  breaks: ReadonlySet<string>;
  /** Number of the next drawing. */
  drawing: number;
  /** The width of a page between its margins, in points. */
  width: number;
}

const FIRST = 'first:';
const LAST = 'last:';

/** Rows that must stay together were laid out on two pages; `mark` names them. */
export class RowsApart extends Error {
  readonly mark: string;

  constructor(mark: string) {
    super(`Rows ${mark} stand on two pages.`);
    this.mark = mark;
  }
}

/**
 * The document definition for the layout engine. With `mayMove` the layout aborts before anything is written, with
 * RowsApart, if rows that must stay together are on two pages.
 */
export function documentOf(
  content: PrintContent,
  breaks: ReadonlySet<string>,
  pages: PagesOfRows,
  mayMove: boolean,
): TDocumentDefinitions {
  const laying: Laying = { next: 0, breaks, drawing: 0, width: printedWidth(content) };
  const hasTable = content.blocks.some(({ kind }) => kind === 'table' || kind === 'columns');
  return {
    pageSize: content.paper,
    pageOrientation: content.landscape ? 'landscape' : 'portrait',
    pageMargins: MARGINS,
    info: {
      title: content.title,
      creator: 'Mainstay',
      creationDate: new Date(content.at),
      modDate: new Date(content.at),
    },
    defaultStyle: { font: 'latin', fontSize: 9, lineHeight: 1.15 },
    content: inPages(content.blocks, laying),
    ...(content.watermark !== null && {
      watermark: { text: content.watermark, font: 'latin', color: '#8a8a8a', opacity: 0.18, bold: true, angle: -45 },
    }),
    footer: (page, pages) => ({
      margin: [MARGINS[0], 14, MARGINS[2], 0],
      fontSize: 7.5,
      color: GREY,
      columns: [
        { text: written(content.foot), width: '*' },
        { text: `Page ${page} of ${pages}`, alignment: 'right', width: 'auto' },
      ],
    }),
    // Called for each part once its page is known, before anything is written.
    ...(hasTable && {
      pageBreakBefore: ({ id, pageNumbers }: Node) => {
        if (typeof id === 'string') noted(pages, id, pageNumbers[0] ?? 0);
        if (mayMove)
          for (const [mark, { first, last }] of pages)
            if (last > first && first > 0 && !breaks.has(mark)) throw new RowsApart(mark);
        return false;
      },
    }),
  };
}

function noted(pages: PagesOfRows, id: string, page: number): void {
  for (const one of id.split(' ')) {
    const [word, mark] = one.split(':') as [string, string];
    pages.set(mark, { ...(pages.get(mark) ?? { first: 0, last: 0 }), [word]: page });
  }
}

/**
 * The blocks one below the other. A break moves the next block to a new page: a node of its own would, at the end of a
 * full page, leave an empty one.
 */
const inPages = (blocks: readonly ContentBlock[], laying: Laying): Content[] =>
  blocks.flatMap((block, at) => {
    if (block.kind === 'break') return [];
    const laid = laidOut(block, laying);
    return [at > 0 && blocks[at - 1]!.kind === 'break' ? { stack: [laid], pageBreak: 'before' as const } : laid];
  });

function laidOut(block: ContentBlock, laying: Laying): Content {
  switch (block.kind) {
    case 'letterhead':
      return letterhead(block, laying.width);
    case 'heading':
      return { text: written(block.text), fontSize: 14, bold: true, margin: [0, 6, 0, 6] };
    case 'box':
      return box(block);
    case 'table':
      return table(block, laying);
    case 'text':
      return {
        text: written(block.text),
        bold: block.bold,
        alignment: block.align,
        margin: [0, 3, 0, 5],
      };
    case 'list':
      return list(block);
    case 'picture':
      return {
        image: String(block.picture),
        ...(block.height === undefined ? { width: block.width } : { fit: [block.width, block.height] }),
        margin: [0, 4, 0, 6],
      };
    case 'signatures':
      return signatures(block);
    case 'qr':
      return {
        unbreakable: true,
        margin: [0, 4, 0, 6],
        stack: [
          { qr: block.text, fit: 84, eccLevel: 'M' },
          ...(block.note === null ? [] : [{ text: written(block.note), fontSize: 7.5, color: GREY }]),
        ],
      };
    case 'columns':
      return {
        columnGap: 16,
        columns: block.columns.map((blocks) => ({ stack: blocks.map((one) => laidOut(one, laying)), width: '*' })),
      };
    case 'drawing':
      return drawing(block, laying.drawing++);
    case 'break':
      return { text: '', pageBreak: 'after' };
  }
}

/** The sides of the paper, in points. */
const SIDES: Readonly<Record<PrintContent['paper'], readonly [number, number]>> = {
  A3: [841.89, 1190.55],
  A4: [595.28, 841.89],
  A5: [419.53, 595.28],
  A6: [297.64, 419.53],
};

/** The width of a page between its margins. */
function printedWidth({ paper, landscape }: PrintContent): number {
  const [short, long] = SIDES[paper];
  return Math.floor((landscape ? long : short) - MARGINS[0] - MARGINS[2]);
}

function letterhead(
  { name, lines, picture, banner }: Extract<ContentBlock, { kind: 'letterhead' }>,
  width: number,
): Content {
  const rule: Content = {
    canvas: [{ type: 'line', x1: 0, y1: 4, x2: width, y2: 4, lineWidth: 0.8, lineColor: LINE }],
    margin: [0, 0, 0, 8],
  };
  if (banner !== null) return [{ image: String(banner), fit: [width, 110] }, rule];
  return [
    {
      columnGap: 12,
      columns: [
        ...(picture === null
          ? []
          : [{ width: 'auto' as const, stack: [{ image: String(picture), fit: [110, 56] as [number, number] }] }]),
        {
          width: '*' as const,
          alignment: 'right' as const,
          stack: [
            { text: written(name), fontSize: 13, bold: true },
            ...lines.map((line) => ({ text: written(line), fontSize: 8, color: GREY })),
          ],
        },
      ],
    },
    rule,
  ];
}

function box({ columns, entries }: Extract<ContentBlock, { kind: 'box' }>): Content {
  // All fields are empty, or hidden from the reader; a table without cells cannot be laid out.
  if (entries.length === 0) return [];
  const body: TableCell[][] = [];
  const rows = Math.ceil(entries.length / columns);
  for (let row = 0; row < rows; row++) {
    const cells: TableCell[] = [];
    for (let column = 0; column < columns; column++) {
      // Read down one column, then the next.
      const entry = entries[column * rows + row];
      cells.push({ text: entry ? written(entry.title) : '', color: GREY }, { text: entry ? written(entry.text) : '' });
    }
    body.push(cells);
  }
  const widths = Array.from({ length: columns }, () => ['auto', '*']).flat();
  return { table: { widths, body, dontBreakRows: true }, layout: PLAIN, margin: [0, 2, 0, 8] };
}

const cell = (text: string, { align }: PrintColumn, more: object = {}): TableCell => ({
  text: written(text),
  alignment: align,
  ...more,
});

/** A row of a table; `keep`: it stays on the same page as the next row. */
interface LaidRow {
  cells: TableCell[];
  keep: boolean;
}

/** The title of a group stays with its first row, sums with the row before them. */
function rowsOf({ columns, groups, sums }: Extract<ContentBlock, { kind: 'table' }>): LaidRow[] {
  const rows: LaidRow[] = [];
  const addSums = (texts: string[]) => {
    if (rows.length > 0) rows.at(-1)!.keep = true;
    rows.push({ cells: columns.map((column, at) => cell(texts[at] ?? '', column, { bold: true })), keep: false });
  };
  for (const group of groups) {
    if (group.title !== null)
      rows.push({
        cells: [
          { text: written(group.title), bold: true, colSpan: columns.length, fillColor: SHADE },
          ...columns.slice(1).map(() => ''),
        ],
        keep: true,
      });
    for (const row of group.rows)
      rows.push({ cells: columns.map((column, at) => cell(row[at] ?? '', column)), keep: false });
    if (group.sums !== null) addSums(group.sums);
  }
  if (sums !== null) addSums(sums);
  return rows;
}

function table(block: Extract<ContentBlock, { kind: 'table' }>, laying: Laying): Content {
  const { title, columns } = block;
  if (columns.length === 0) return [];
  const head = () => columns.map((column) => cell(column.title, column, { bold: true, fillColor: SHADE }));
  const parts: TableCell[][][] = [[head()]];
  const rows = rowsOf(block);
  // The title of a table stays with its first row.
  const own = title === null || rows.length === 0 ? null : String(laying.next++);
  if (own !== null) named(rows[0]!.cells, LAST + own);
  let mark: string | null = null;
  for (const { cells, keep } of rows) {
    if (keep && mark === null) {
      mark = String(laying.next++);
      if (laying.breaks.has(mark) && parts.at(-1)!.length > 1) parts.push([head()]);
      named(cells, FIRST + mark);
    } else if (!keep && mark !== null) {
      named(cells, LAST + mark);
      mark = null;
    }
    parts.at(-1)!.push(cells);
  }
  const laid = parts.map((body, at): ContentTable => ({
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }) => (width === 'fill' ? '*' : 'auto')),
      body,
    },
    layout: RULED,
    margin: [0, 2, 0, 8],
    ...(at > 0 && { pageBreak: 'before' }),
  }));
  if (title === null) return laid;
  const above: ContentText & { id?: string } = { text: written(title), bold: true, margin: [0, 4, 0, 2] };
  if (own !== null) {
    above.id = FIRST + own;
    if (laying.breaks.has(own)) above.pageBreak = 'before';
  }
  return [above, ...laid];
}

/**
 * Identifies a row by a cell with a single font: the layout does not report positions of empty cells or cells with
 * several fonts.
 */
function named(row: TableCell[], id: string): void {
  const cells = row.filter(
    (one): one is TableCell & { id?: string; text: string } => typeof (one as { text?: unknown }).text === 'string',
  );
  const plain = cells.find(({ text }) => text !== '') ?? cells[0];
  if (!plain) return;
  if (plain.text === '') plain.text = '\u00a0';
  plain.id = plain.id === undefined ? id : `${plain.id} ${id}`;
}

/** The destination of links to a drawing. */
const placeOf = (at: number) => `drawing-${at}`;
/** Height of a drawing's title. */
const DRAWING_HEAD = 26;

/** Texts stand at fixed places: a page holds one drawing. */
function drawing({ title, back, lines, boxes }: Extract<ContentBlock, { kind: 'drawing' }>, at: number): Content {
  const [left, top] = [MARGINS[0], MARGINS[1] + DRAWING_HEAD];
  const text = (x: number, y: number, said: string, more: object, link: object = {}): Content => ({
    text: fontRuns(said).map((run) => ({ ...run, ...link })),
    absolutePosition: { x: left + x, y: top + y },
    ...more,
  });
  const box = ({ x, y, height, name, lines: rest, more, page }: DrawnBox): Content[] => {
    const link = page === null ? {} : { linkToDestination: placeOf(page) };
    const foot = [more, page === null ? null : `page ${page + 1}`].filter(Boolean).join(', ');
    return [
      text(x + 8, y + 4, name, { fontSize: 8, bold: true }, link),
      ...rest.map((line, row) =>
        text(x + 8, y + 16 + row * 10, line, { fontSize: 7, ...(row > 0 && { color: GREY }) }),
      ),
      ...(foot === '' ? [] : [text(x, y + height - 1, foot, { fontSize: 6.5, color: GREY }, link)]),
    ];
  };
  return [
    {
      ...(at > 0 && { pageBreak: 'before' as const }),
      columns: [
        { id: placeOf(at), text: written(title), fontSize: 11, bold: true, width: '*' },
        ...(back === null
          ? []
          : [
              {
                text: [{ text: `Back to page ${back + 1}`, linkToDestination: placeOf(back) }],
                color: GREY,
                width: 'auto' as const,
              },
            ]),
      ],
    },
    {
      absolutePosition: { x: left, y: top },
      canvas: [
        ...lines.map((points) => ({
          type: 'polyline' as const,
          lineWidth: 0.7,
          lineColor: '#8a8a8a',
          points: Array.from({ length: points.length / 2 }, (_, one) => ({
            x: points[one * 2]!,
            y: points[one * 2 + 1]!,
          })),
        })),
        ...boxes.map(({ x, y, width, height, isDashed }) => ({
          type: 'rect' as const,
          x,
          y,
          w: width,
          h: height,
          r: 4,
          lineWidth: 0.7,
          lineColor: '#8a8a8a',
          color: '#ffffff',
          ...(isDashed && { dash: { length: 4, space: 3 } }),
        })),
      ],
    },
    ...boxes.flatMap(box),
  ];
}

function list({ title, entries }: Extract<ContentBlock, { kind: 'list' }>): Content {
  return [
    ...(title === null
      ? []
      : [{ text: written(title), bold: true, margin: [0, 4, 0, 2] as [number, number, number, number] }]),
    {
      ol: entries.map((entry) => ({
        text: [
          ...(entry.title === null ? [] : [{ text: written(`${entry.title}: `), bold: true }]),
          { text: written(entry.text) },
        ],
        margin: [0, 0, 0, 2] as [number, number, number, number],
      })),
      fontSize: 8,
      margin: [0, 0, 0, 6],
    },
  ];
}

function signatures({ boxes }: Extract<ContentBlock, { kind: 'signatures' }>): Content {
  return {
    unbreakable: true,
    margin: [0, 18, 0, 4],
    columnGap: 24,
    columns: boxes.map((one) => ({
      width: '*',
      stack: [
        one.picture === null ? { text: ' ', margin: [0, 28, 0, 0] } : { image: String(one.picture), fit: [140, 42] },
        { canvas: [{ type: 'line', x1: 0, y1: 2, x2: 140, y2: 2, lineWidth: 0.6, lineColor: GREY }] },
        ...(one.name === null ? [] : [{ text: written(one.name), margin: [0, 2, 0, 0] }]),
        { text: written(one.title), color: GREY, fontSize: 8, margin: [0, 2, 0, 0] },
        ...(one.under ?? []).map((line) => ({
          // Nothing is known yet: it is filled in by hand.
          text: written(line.endsWith(':') ? `${line} ${'.'.repeat(28)}` : line),
          fontSize: 8,
          margin: [0, 3, 0, 0],
        })),
      ] as Content[],
    })),
  };
}
