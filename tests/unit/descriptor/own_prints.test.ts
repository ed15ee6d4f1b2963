import { expect, it } from 'vitest';
import { blocksOfRows, designProblems, rowsOfBlocks } from '../../../src/descriptor/own_prints.ts';
import type { BlockRow } from '../../../src/descriptor/own_prints.ts';
import type { PrintBlock } from '../../../src/descriptor/prints.ts';
import { product } from '../server/product.ts';

const { screens } = await product;
const printed = [...screens.values()].flatMap((screen) => (screen.prints ?? []).map((print) => ({ screen, print })));
const row = (block: BlockRow['block'], content: string | null, more: Partial<BlockRow> = {}): BlockRow => ({
  block,
  place: 'across',
  content,
  ...more,
});

/** A design says what a descriptor leaves to the default. */
function inFull(block: PrintBlock): PrintBlock {
  if ('columns' in block && !('table' in block))
    return { ...block, columns: block.columns.map((blocks) => blocks.map(inFull)) };
  if ('image' in block) return { width: 180, ...block };
  return 'box' in block ? { in: 2, ...block } : 'text' in block ? { align: 'left', ...block } : block;
}

it('every shipped print can be the start of a design, which then prints the same', () => {
  expect(printed.length).toBeGreaterThan(2);
  for (const { screen, print } of printed) {
    const rows = rowsOfBlocks(print.blocks);
    expect(blocksOfRows(rows)).toEqual(print.blocks.map(inFull));
    expect(designProblems(screens, screen, print, rows)).toEqual([]);
  }
});

it('blocks side by side stay side by side', () => {
  const columns = [
    [{ qr: 'id', note: 'Scan' }],
    [{ heading: 'A' }, { heading: 'B' }],
    [{ sign: ['For us', { title: 'By', name: 'name' }] }],
  ];
  const blocks = [{ columns }, { columns: [[{ heading: 'C' }], [{ break: true as const }]] }];
  expect(blocksOfRows(rowsOfBlocks(blocks))).toEqual(blocks);
});

it('errors are reported at their row', () => {
  const { screen, print } = printed.find((one) => one.screen.name === 'quotation')!;
  const problems = designProblems(screens, screen, { ...print, paper: 'A6' }, [
    row('heading', 'Offer {quotation_no}'),
    row('heading', ''),
    row('box', 'customer_id, custmer'),
    row('table', 'lines', { columns: 'option, qty, rate, discount, net, gst_rate' }),
    row('table', 'lines', { columns: 'option, net', sum: 'option' }),
    row('words', 'total +'),
    row('terms', 'gate_pass'),
    row('text', 'Dear all', { show_when: "status == 'sold'" }),
    row('letterhead', null),
  ]);
  expect(problems.map((one) => one.row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(problems[1]!.message).toContain('There is no field "custmer" for print.');
});
