import { expect, test } from 'vitest';
import { circleOf, kpiFormula, likeliest } from '../../../../src/domain/performance/kpi_formula.ts';
import type { Look } from '../../../../src/domain/performance/kpi_formula.ts';

const computed = (text: string, values: Record<string, string | number | null>) => {
  const formula = kpiFormula(text);
  if ('wrong' in formula) throw new Error(formula.wrong);
  const key = ({ view, code, count }: Look) => (view === 'value' ? code : `${view}(${code},${count})`);
  return formula.compute((look) => values[key(look)] ?? null);
};

// The figures are those of performance.md §5.8.
test('formulas are computed exactly, and say why they cannot be', () => {
  expect(computed('(SALES - COGS) / SALES * 100', { SALES: 80_00_000, COGS: 62_00_000 })).toEqual({ value: '22.5' });
  expect(computed('BILLS/WALKINS*100', { BILLS: 800, WALKINS: 2400 })).toEqual({ value: '33.333333' });
  expect(computed('SALES/HEADCOUNT', { SALES: 5, HEADCOUNT: 0 })).toEqual({ reason: 'HEADCOUNT is 0' });
  expect(computed('SALES/(A-B)', { SALES: 5, A: 2, B: 2 })).toEqual({ reason: 'A-B is 0' });
  expect(computed('(SALES/prev(SALES) - 1)*100', { SALES: 110, 'prev(SALES,1)': 95 })).toEqual({ value: '15.789474' });
  expect(computed('SALES/prev(SALES)', { SALES: 110 })).toEqual({ reason: 'SALES of the month before is missing' });
  expect(computed('SALES', {})).toEqual({ reason: 'SALES is missing' });
});

test('functions look at other months, targets and the team, and choose', () => {
  const values = { SALES: 12, 'target(SALES,1)': 10, 'sum_of(SALES,3)': 30, 'team(SALES,1)': 90, 'ytd(SALES,1)': 40 };
  expect(computed('round(sum_of(SALES,3) / 7, 2)', values)).toEqual({ value: '4.29' });
  expect(computed('if(SALES >= target(SALES), 100, 0) + min(3, max(1, 2), abs(-7))', values)).toEqual({ value: '102' });
  expect(computed('team(SALES) + ytd(SALES)', values)).toEqual({ value: '130' });
  // The part that is not chosen needs no value.
  expect(computed('if(SALES > 0, SALES, OTHER)', values)).toEqual({ value: '12' });
});

test('what is no formula is refused in words; a circle and a misspelt code are named', () => {
  const wrong = (text: string) => (kpiFormula(text) as { wrong?: string }).wrong;
  expect(wrong('SALES +')).toBe('The formula is not complete.');
  expect(wrong('SALES SALES')).toBe('The formula is not complete.');
  expect(wrong('eval(SALES)')).toBe('There is no function eval.');
  expect(wrong('(SALES')).toBe('A ) is missing.');
  expect(wrong('SALES; drop')).toBe('Use codes of KPIs, numbers, + - * / and brackets.');
  expect(wrong('prev(SALES, 99)')).toBe('prev counts 1 to 36 months.');
  const uses = new Map([
    ['GM_PCT', ['GP', 'SALES']],
    ['GP', ['GM_PCT']],
  ]);
  expect(circleOf('GM_PCT', uses)?.join(' → ')).toBe('GM_PCT → GP → GM_PCT');
  expect(circleOf('SALES', uses)).toBeNull();
  expect(likeliest('SALE', ['SALES', 'DSO'])).toBe('SALES');
  expect(likeliest('QUITE_OTHER', ['SALES', 'DSO'])).toBeNull();
});
