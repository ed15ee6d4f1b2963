import { describe, expect, it } from 'vitest';
import { read, utils } from 'xlsx';
import type { ExportColumn } from '../../../../../src/server/engine/excel/sheet_write.ts';
import { SheetWriter } from '../../../../../src/server/engine/excel/sheet_write.ts';
import { cellText } from '../../../../../src/server/engine/excel/long_text.ts';

describe('a text for a cell', () => {
  it('is unchanged up to a cell’s limit, and shortened with a note beyond it', () => {
    const whole = 'x'.repeat(32_767);
    expect(cellText(whole)).toBe(whole);
    const cut = cellText(`${whole}y`);
    expect(cut.length).toBeLessThanOrEqual(32_767);
    expect(cut).toContain('Cut: a cell holds 32,767 characters, this text has 32,768');
  });

  it('is never cut within a character', () => {
    for (const before of ['', 'a']) {
      const cut = cellText(before + '😀'.repeat(20_000));
      expect(cut.length).toBeLessThanOrEqual(32_767);
      expect(cut.isWellFormed()).toBe(true);
    }
  });

  it('of any length is exported', () => {
    const column: ExportColumn = { title: 'Remarks', field: null, key: 'remarks' };
    const writer = new SheetWriter([column]);
    writer.add([{ remarks: 'x'.repeat(100_000) }]);
    const [row] = utils.sheet_to_json<Record<string, string>>(read(writer.bytes()).Sheets.Sheet1!);
    expect(row!.Remarks).toContain('Cut: a cell holds');
  });
});
