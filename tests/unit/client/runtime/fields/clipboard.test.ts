import { describe, expect, it } from 'vitest';
import { parseCells, toCells } from '../../../../../src/client/runtime/fields/rows/sheet/clipboard.ts';

describe('cells on the clipboard', () => {
  it('are rows by line and cells by tab, with any line ending', () => {
    expect(parseCells('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(parseCells('one')).toEqual([['one']]);
    expect(parseCells('a\t\tc\n\t\t')).toEqual([
      ['a', '', 'c'],
      ['', '', ''],
    ]);
    expect(parseCells('')).toEqual([]);
  });

  it('keep line breaks and quotation marks inside a quoted cell', () => {
    expect(parseCells('"two\nlines"\t"say ""yes"""\tend')).toEqual([['two\nlines', 'say "yes"', 'end']]);
  });

  it('keep a lone quotation mark: 15" is a length', () => {
    expect(parseCells('15" screen\t"open\nnext')).toEqual([['15" screen', '"open'], ['next']]);
  });

  it('are copied as they were pasted', () => {
    const cells = [
      ['plain', 'tab\there', 'line\nbreak', 'quo"te'],
      ['1,23,456.50', '', '', ''],
    ];
    expect(parseCells(toCells(cells))).toEqual(cells);
  });
});
