import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UnplacedTray } from '../../../../../src/client/modules/organisation/UnplacedTray.tsx';
import type { ChartPerson } from '../../../../../src/domain/organisation/chart_tree.ts';
import { ChartTree } from '../../../../../src/domain/organisation/chart_tree.ts';

const person = (id: number, parent: number | null): ChartPerson => ({
  id,
  parent,
  name: `P${id}`,
  empno: `E${id}`,
  designation: null,
  department: null,
  branch: null,
  joined: null,
  status: 'active',
  dotted: [],
  score: null,
  band: null,
  version: 1,
  wanted: 0,
});

it('a loop stands in the tray with its reason and who is below; choosing it selects the person', () => {
  const select = vi.fn();
  const { rerender } = render(
    <UnplacedTray
      tree={new ChartTree([person(1, null), person(2, 3), person(3, 2), person(4, 3)])}
      selected={null}
      onSelect={select}
    />,
  );
  const entry = screen.getByRole('button');
  expect(entry.textContent).toBe('P2, with 2 belowA cycle: P2 → P3 → P2.');
  fireEvent.click(entry);
  expect(select).toHaveBeenCalledWith(2);
  rerender(<UnplacedTray tree={new ChartTree([person(1, null)])} selected={null} onSelect={select} />);
  expect(screen.queryByRole('region')).toBeNull();
});
