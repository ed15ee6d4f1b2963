import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen as page, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, it, vi } from 'vitest';
import Bullseye from '../../../../../src/client/modules/strategy/widgets/bullseye.tsx';
import { layOutTree } from '../../../../../src/client/modules/strategy/tree_layout.ts';
import ImpactTree from '../../../../../src/client/modules/strategy/widgets/impact_tree.tsx';
import type { Tile } from '../../../../../src/domain/dashboard.ts';
import type { ImpactView, ViewNode } from '../../../../../src/domain/strategy/impact_view.ts';

const node = (no: number, parent: number | null, label: string, more: Partial<ViewNode> = {}): ViewNode => ({
  no,
  parent,
  code: label.toUpperCase(),
  label,
  relation: 'times',
  controllable: true,
  kpi_id: null,
  unit: null,
  style: { symbol: null, scale: 'one' },
  decimals: 0,
  isLower: null,
  owner: null,
  from: null,
  to: null,
  ...more,
});
const VIEW: ImpactView = {
  tree: { id: 1, name: 'Sales' },
  trees: [{ id: 1, name: 'Sales' }],
  month: '2026-10',
  against: 'target',
  depth: 6,
  nodes: [
    node(1, null, 'Revenue', { style: { symbol: '₹', scale: 'lakh' } }),
    node(2, 1, 'Bills', { from: 100, to: 90 }),
    node(3, 1, 'Price', { from: 5000, to: 6000, style: { symbol: '₹', scale: 'one' } }),
  ],
  isPart: false,
};

afterEach(() => vi.unstubAllGlobals());

it('a driver is changed by a number as well as by a slider, within its limits, and the nodes above follow at once', () => {
  // As a phone shows it: the picture of wide screens needs a browser that measures.
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <ImpactTree tile={{} as Tile} data={VIEW} again={() => undefined} />
      </MemoryRouter>
    </FluentProvider>,
  );
  const root = () => within(page.getByRole('listitem', { name: 'Revenue' })).getAllByText(/^₹.* L$/)[0]!.textContent;
  expect(root()).toBe('₹5.4 L');
  const bills = page.getByRole('spinbutton', { name: 'What if Bills is' });
  const type = (text: string) => {
    fireEvent.change(bills, { target: { value: text } });
    fireEvent.blur(bills);
  };
  type('100');
  expect(root()).toBe('₹6 L');
  expect(page.getByText('What if: +11.1 %')).toBeTruthy();
  // At most a quarter more than what there is.
  type('1,000');
  expect(root()).toBe('₹6.75 L');
  fireEvent.click(page.getByRole('button', { name: 'Reset to actual' }));
  expect(root()).toBe('₹5.4 L');
});

it('a driver of the bullseye answers when touched: its values, its effect and the way to its figures', () => {
  const data = {
    ...VIEW,
    nodes: VIEW.nodes.map((one) => (one.label === 'Bills' ? { ...one, kpi_id: 7, owner: 'Asha Rao' } : one)),
  };
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <Bullseye tile={{} as Tile} data={data} again={() => undefined} />
      </MemoryRouter>
    </FluentProvider>,
  );
  const rows = page.getAllByRole('row').map((row) => row.textContent);
  // The driver that is off its target comes first; back at its target, it would bring 60,000 more.
  expect(rows[1]).toBe('1 Bills 10.00 %50.00 %+60,000');
  const open = page.getByRole('button', { name: '1 Bills' });
  fireEvent.click(open);
  expect(open.getAttribute('aria-expanded')).toBe('true');
  expect(page.getByText('90 instead of 100 · Asha Rao')).toBeTruthy();
  expect(page.getByText(/^It moved the root by -55,000/)).toBeTruthy();
  expect(page.getByRole('link', { name: 'Show its figures' }).getAttribute('href')).toBe(
    '/kpi_detailed_report_view?kpi_id=7',
  );
  fireEvent.click(open);
  expect(page.queryByText(/^It moved the root/)).toBeNull();
});

it('no two cards of the picture overlap, and a parent stands in the middle of its children', () => {
  const below: Record<number, number[]> = { 1: [2, 3, 4], 2: [5, 6, 7], 3: [], 4: [8] };
  const heightOf = (no: number) => (no > 4 ? 176 : 104);
  const placed = layOutTree(1, (no) => below[no] ?? [], heightOf);
  const yOf = (no: number) => placed.find((one) => one.no === no)!.y + heightOf(no) / 2;
  for (const level of Map.groupBy(placed, ({ x }) => x).values()) {
    const cards = level.toSorted((a, b) => a.y - b.y);
    cards.slice(1).forEach((card, at) => expect(card.y).toBeGreaterThanOrEqual(cards[at]!.y + cards[at]!.height));
  }
  expect(yOf(2)).toBeCloseTo((yOf(5) + yOf(7)) / 2, 6);
  expect(new Set(placed.map(({ x }) => x)).size).toBe(3);
});
