import { expect, it } from 'vitest';
import type { Report, ReportAnswer, ReportColumn } from '../../../../src/domain/report.ts';
import { reportPaper } from '../../../../src/server/engine/reports/report_paper.ts';

const column = (name: string, type: string) => ({ name, type, title: name.toUpperCase(), schema: {} }) as ReportColumn;
const report = { title: 'Outstanding', columns: [] } as unknown as Report;
const answer = (columns: ReportColumn[], rows: number): ReportAnswer =>
  ({
    chosen: [],
    figures: [],
    chart: null,
    columns,
    rows: Array.from({ length: rows }, (_, at) =>
      Object.fromEntries(columns.map(({ name, type }) => [name, type === 'text' ? `${name}${at}` : at])),
    ),
    totals: Object.fromEntries(columns.map(({ name }) => [name, null])),
  }) as unknown as ReportAnswer;
const tablesOf = (of: ReportAnswer) =>
  reportPaper({ userName: 'Anita' }, report, of).blocks.filter((block) => block.kind === 'table');

it('a report of 15 columns is one table; a wider one stands in parts that repeat what names a row', () => {
  const figures = (count: number) => Array.from({ length: count }, (_, at) => column(`f${at}`, 'integer'));
  const names = [column('customer', 'text'), column('branch', 'text')];
  expect(tablesOf(answer([...names, ...figures(13)], 3))).toHaveLength(1);

  const tables = tablesOf(answer([...names, ...figures(28)], 3));
  expect(tables.map(({ title }) => title)).toEqual(['Part 1 of 3', 'Part 2 of 3', 'Part 3 of 3']);
  for (const { columns, groups, sums } of tables) {
    expect(columns.length).toBeLessThanOrEqual(15);
    expect(columns.slice(0, 2).map(({ title }) => title)).toEqual(['CUSTOMER', 'BRANCH']);
    expect(groups[0]!.rows.map(([first]) => first)).toEqual(['customer0', 'customer1', 'customer2']);
    expect(sums?.[0]).toBe('Total');
  }
  // Each figure stands in one part.
  expect(tables.flatMap(({ columns }) => columns.slice(2).map(({ title }) => title))).toEqual(
    figures(28).map(({ title }) => title),
  );
});

it('the more parts a report has, the fewer rows it may have', () => {
  const wide = Array.from({ length: 20 }, (_, at) => column(`f${at}`, 'integer'));
  expect(tablesOf(answer(wide, 1000))).toHaveLength(2);
  expect(() => tablesOf(answer(wide, 1001))).toThrow('A PDF of 20 columns has at most 1,000 rows.');
});
