import { describe, expect, it } from 'vitest';
import { capacityOnDay } from '../../../src/domain/fms/month_plan.ts';
import type { Leave } from '../../../src/domain/leave.ts';
import { leaveOn, middleOf, shareOf } from '../../../src/domain/leave.ts';

const leaves: Leave[] = [
  { employee_id: 1, from: '2026-02-27', to: '2026-03-02', part: 'day' },
  { employee_id: 1, from: '2026-03-03', to: '2026-03-03', part: 'first_half' },
  { employee_id: 2, from: '2026-03-03', to: '2026-03-03', part: 'first_half' },
  { employee_id: 2, from: '2026-03-03', to: '2026-03-03', part: 'second_half' },
];
const share = (person: number, day: string) => shareOf(leaveOn(leaves, person, day));

describe('leave', () => {
  it('takes its first and last day, half a day, or both halves', () => {
    expect(['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03', '2026-03-04'].map((day) => share(1, day))).toEqual([
      0, 1, 1, 0.5, 0,
    ]);
    expect(share(2, '2026-03-03')).toBe(1);
    expect(leaveOn(leaves, 1, '2026-02-28')!.until).toBe('2026-03-02');
    expect(leaveOn(leaves, 1, '2026-03-03')).toMatchObject({ first: true, second: false });
  });

  it('divides a shift in its middle, also across midnight', () => {
    expect([middleOf('09:00', '18:00'), middleOf('22:00', '06:00'), middleOf('18:00', '02:00')]).toEqual([
      '13:30',
      '02:00',
      '22:00',
    ]);
  });

  it('takes its share off the capacity of a route, unless the stand-in team makes the visits', () => {
    expect(capacityOnDay(420, [1, 1], [])).toBe(420);
    expect(capacityOnDay(420, [1, 0], [1])).toBe(210);
    expect(capacityOnDay(420, [1, 0.5, 1], [])).toBe(350);
    expect(capacityOnDay(420, [0, 0], [0, 1])).toBe(420);
    expect(capacityOnDay(420, [0, 0], [0])).toBe(0);
    expect(capacityOnDay(420, [], [])).toBe(420);
  });
});
