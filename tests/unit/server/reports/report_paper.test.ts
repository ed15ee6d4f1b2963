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

it('a report that fits on paper is one table; a wider one stands in parts that repeat what names a row', () => {
  const figures = (count: number) => Array.from({ length: count }, (_, at) => column(`f${at}`, 'integer'));
  const names = [column('customer', 'text'), column('branch', 'text')];
  expect(tablesOf(answer([...names, ...figures(13)], 3))).toHaveLength(1);

  const tables = tablesOf(answer([...names, ...figures(60)], 3));
  expect(tables.map(({ title }) => title)).toEqual(tables.map((_, at) => `Part ${at + 1} of ${tables.length}`));
  expect(tables.length).toBeGreaterThan(1);
  for (const { columns, groups, sums } of tables) {
    expect(columns.slice(0, 2).map(({ title }) => title)).toEqual(['CUSTOMER', 'BRANCH']);
    expect(groups[0]!.rows.map(([first]) => first)).toEqual(['customer0', 'customer1', 'customer2']);
    expect(sums?.[0]).toBe('Total');
  }
  // Each figure stands in one part.
  expect(tables.flatMap(({ columns }) => columns.slice(2).map(({ title }) => title))).toEqual(
    figures(60).map(({ title }) => title),
  );
});

it('long figures take more room, so that none is beyond the edge of the page', () => {
  const wide = Array.from({ length: 12 }, (_, at) => column(`f${at}`, 'money'));
  const figures = (amount: string) => ({
    ...answer([column('customer', 'text'), ...wide], 0),
    rows: [Object.fromEntries(wide.map(({ name }) => [name, amount]))],
  });
  expect(tablesOf(figures('5'))).toHaveLength(1);
  expect(tablesOf(figures('1234567890.50'))).toHaveLength(2);
});

it('the more parts a report has, the fewer rows it may have', () => {
  const wide = Array.from({ length: 40 }, (_, at) => column(`f${at}`, 'integer'));
  const parts = tablesOf(answer(wide, 10)).length;
  const most = Math.floor(2000 / parts);
  expect(tablesOf(answer(wide, most))).toHaveLength(parts);
  expect(() => tablesOf(answer(wide, most + 1))).toThrow(
    `A PDF of 40 columns has at most ${most.toLocaleString('en-IN')} rows.`,
  );
});
