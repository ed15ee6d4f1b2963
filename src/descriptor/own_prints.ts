import { checkBlocks } from './check_prints.ts';
import { Checked, ScreenCheck } from './check_context.ts';
import type { Print, PrintBlock } from './prints.ts';
import { PRINT_BLOCKS } from './prints.ts';
import { Source } from './source.ts';
import type { Descriptor, Screen } from './types.ts';

/** A print block in a client's design: one row of the design. */
export interface BlockRow {
  block: Exclude<(typeof PRINT_BLOCKS)[number], 'columns'>;
  /** Consecutive blocks in columns are printed side by side. */
  place: 'across' | 'left' | 'middle' | 'right';
  /** The content of the block: text, a path, one path per line, an expression; depending on its kind. */
  content: string | null;
  columns?: string | null;
  title?: string | null;
  group_by?: string | null;
  sum?: string | null;
  no_total?: boolean | null;
  distinct_rows?: boolean | null;
  only_rows?: string | null;
  across?: string | null;
  bold?: boolean | null;
  align?: 'left' | 'right' | 'center' | null;
  width?: number | null;
  show_when?: string | null;
}

const PLACES = ['left', 'middle', 'right'] as const;

const listed = (text: string | null | undefined): string[] =>
  (text ?? '').split(/[\n,]/).flatMap((one) => one.trim() || []);
const lines = (text: string | null | undefined): string[] =>
  (text ?? '').split('\n').flatMap((one) => one.trim() || []);

/** Converts a row to a block. */
function blockOf(row: BlockRow): PrintBlock {
  const content = row.content?.trim() ?? '';
  const written = <T>(name: string, value: T | null | undefined) =>
    value === null || value === undefined || value === '' ? {} : { [name]: value };
  const when = written('when', row.show_when);
  switch (row.block) {
    case 'letterhead':
      return { letterhead: content === '' ? true : content, ...when };
    case 'heading':
      return { heading: content, ...when };
    case 'box':
      return { box: listed(content), in: (Number(row.across) || 2) as 1 | 2 | 3, ...when };
    case 'table':
      return {
        table: content,
        columns: listed(row.columns),
        ...written('title', row.title),
        ...written('group', row.group_by),
        ...(listed(row.sum).length > 0 && { sum: listed(row.sum) }),
        ...(row.no_total === true && { total: false as const }),
        ...(row.distinct_rows === true && { distinct: true as const }),
        ...written('rows', row.only_rows),
        ...when,
      };
    case 'words':
      return { words: content, ...when };
    case 'text':
      return { text: content, ...(row.bold === true && { bold: true }), ...written('align', row.align), ...when };
    case 'terms':
      return { terms: content, ...written('title', row.title), ...when };
    case 'image':
      return { image: content, ...written('width', row.width), ...when };
    case 'sign':
      return {
        sign: lines(content).map((line) => {
          const [title = '', name = '', image = '', ...under] = line.split('|').map((one) => one.trim());
          return name === '' && image === '' && under.length === 0
            ? title
            : { title, ...written('name', name), ...written('image', image), ...(under.length > 0 && { under }) };
        }),
        ...when,
      };
    case 'qr':
      return { qr: content, ...written('note', row.title), ...when };
    case 'break':
      return { break: true, ...when };
  }
}

/** The blocks of a design: consecutive rows in columns are printed side by side. */
export function blocksOfRows(rows: readonly BlockRow[]): PrintBlock[] {
  const blocks: PrintBlock[] = [];
  let beside: PrintBlock[][] | null = null;
  for (const row of rows) {
    const at = PLACES.indexOf(row.place as (typeof PLACES)[number]);
    if (at === -1) {
      beside = null;
      blocks.push(blockOf(row));
      continue;
    }
    // A left block after a right one starts a new line.
    if (beside === null || (at === 0 && (beside[1]?.length ?? 0) + (beside[2]?.length ?? 0) > 0)) {
      beside = [[], [], []];
      blocks.push({ columns: beside });
    }
    beside[at]!.push(blockOf(row));
  }
  for (const block of blocks)
    if (!('table' in block) && 'columns' in block) block.columns = block.columns.filter((column) => column.length > 0);
  return blocks;
}

/** The initial rows of a design: the blocks of the print that ships. */
export function rowsOfBlocks(blocks: readonly PrintBlock[]): BlockRow[] {
  return blocks.flatMap((block) =>
    !('table' in block) && 'columns' in block
      ? block.columns.flatMap((inner, at) =>
          inner.map((one): BlockRow => ({
            ...rowOf(one),
            place: at === 0 ? 'left' : at === block.columns.length - 1 ? 'right' : 'middle',
          })),
        )
      : [rowOf(block)],
  );
}

function rowOf(block: PrintBlock): BlockRow {
  const row = (kind: BlockRow['block'], content: string | null, more: Partial<BlockRow> = {}): BlockRow => ({
    block: kind,
    place: 'across',
    content,
    ...more,
    show_when: block.when ?? null,
  });
  if ('letterhead' in block) return row('letterhead', block.letterhead === true ? null : block.letterhead);
  if ('heading' in block) return row('heading', block.heading);
  if ('box' in block) return row('box', block.box.join('\n'), { across: String(block.in ?? 2) });
  if ('table' in block)
    return row('table', block.table, {
      columns: block.columns.join(', '),
      title: block.title ?? null,
      group_by: block.group ?? null,
      sum: block.sum?.join(', ') ?? null,
      no_total: block.total === false,
      distinct_rows: block.distinct === true,
      only_rows: block.rows ?? null,
    });
  if ('words' in block) return row('words', block.words);
  if ('text' in block) return row('text', block.text, { bold: block.bold === true, align: block.align ?? 'left' });
  if ('terms' in block) return row('terms', block.terms, { title: block.title ?? null });
  if ('image' in block) return row('image', block.image, { width: block.width ?? 180 });
  if ('sign' in block)
    return row(
      'sign',
      block.sign
        .map((one) =>
          typeof one === 'string'
            ? one
            : [one.title, one.name ?? '', one.image ?? '', ...(one.under ?? [])].join(' | ').replace(/( \| )+$/, ''),
        )
        .join('\n'),
    );
  if ('qr' in block) return row('qr', block.qr, { title: block.note ?? null });
  return row('break', null);
}

/**
 * The errors in the blocks of a design of one of the screen's prints.
 * @returns by row, from 0
 */
export function designProblems(
  screens: ReadonlyMap<string, Screen>,
  screen: Screen,
  print: Print,
  rows: readonly BlockRow[],
): { row: number; message: string }[] {
  const source = new Source('', '{}');
  const drafts = new Map(
    [...screens].map(([name, one]) => [name, { screen: one, descriptor: {} as Descriptor, source }] as const),
  );
  const check = new ScreenCheck(drafts.get(screen.name)!, new Checked(drafts, new Set(screens.keys()), {}));
  return rows.flatMap((row, at) => {
    if (row.block !== 'letterhead' && row.block !== 'break' && !row.content?.trim())
      return [{ row: at, message: 'Enter what the block says.' }];
    const before = source.problems.length;
    checkBlocks(check, print, [blockOf(row)], []);
    return source.problems
      .slice(before)
      .map(({ message, hint }) => ({ row: at, message: hint === undefined ? message : `${message} ${hint}` }));
  });
}
