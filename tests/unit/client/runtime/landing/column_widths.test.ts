import { describe, expect, it } from 'vitest';
import { contentWidth, headWidth } from '../../../../../src/client/runtime/landing/column_widths.ts';
import { field } from '../screen_fixture.ts';

const rows = (...texts: (string | null)[]) =>
  texts.map((remark, at) => ({ id: at + 1, version: 1, active: true, remark }));

const wide: (...given: Parameters<typeof contentWidth>) => number = (...given) => contentWidth(...given).width;

describe('the width of a column', () => {
  it('breaks a long heading into two lines of similar length, without splitting a word', () => {
    expect(headWidth('Last annual maintenance visit')).toBeLessThan(headWidth('Lastannualmaintenancevisit'));
    expect(headWidth('Maintenance of')).toBe(headWidth('Maintenance'));
  });

  it('is that of the heading for an empty column, more for longer values, within limits', () => {
    const remark = field('remark', 'text');
    const head = headWidth('Remark');
    expect(wide(remark, head, rows(null, null))).toBe(head);
    const short = wide(remark, head, rows('Chennai North branch', 'Chennai South branch'));
    expect(short).toBeGreaterThan(head);
    expect(wide(remark, head, rows('x'.repeat(4_000)))).toBeLessThanOrEqual(300);
    // One value out of line widens nothing.
    const ten = Array.from({ length: 11 }, () => 'Chennai North branch');
    expect(wide(remark, head, rows(...ten, 'x'.repeat(4_000)))).toBe(short);
  });

  it('shows every number and amount completely, however few are long', () => {
    const code = field('remark', 'text');
    const usual = rows(...Array.from({ length: 30 }, () => 'Q/0001'));
    const { width, least } = contentWidth(code, 60, [...usual, ...rows('LSE-CHN/QTN/2026-27/00001/R2')]);
    expect(width).toBeGreaterThan(28 * 7.2);
    expect(least).toBe(width);
    expect(contentWidth(field('remark', 'text'), 60, rows('Chennai North branch of Lakshmi Lifts')).least).toBe(190);
    // So does a badge, whose words end in its edge.
    const badge = field('remark', 'enum', {
      options: [{ value: 'w', label: 'Waits for approval', colour: 'warning' }],
    });
    const waits = contentWidth(badge, 60, rows('w'));
    expect(waits.least).toBe(waits.width);
    expect(waits.width).toBeGreaterThan(18 * 7.2);
  });
});
