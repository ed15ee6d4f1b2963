import { expect, it } from 'vitest';
import { inCopies } from '../../../../src/server/engine/print/fill_print.ts';
import type { ContentBlock } from '../../../../src/server/services/print/print_content.ts';

const heading: ContentBlock = { kind: 'heading', text: 'Challan STN/26-27/00001' };
const mark = (text: string): ContentBlock => ({ kind: 'text', text, bold: true, align: 'right' });

it('a print with copies repeats its blocks for each, marked, on a new page', () => {
  expect(inCopies([heading], ['Original for consignee', 'Duplicate for transporter'])).toEqual([
    mark('Original for consignee'),
    heading,
    { kind: 'break' },
    mark('Duplicate for transporter'),
    heading,
  ]);
});

it('a print without copies is unchanged', () => {
  expect(inCopies([heading], [])).toEqual([heading]);
});
