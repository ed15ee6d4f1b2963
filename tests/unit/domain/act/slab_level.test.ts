import { expect, it } from 'vitest';
import { bandReached } from '../../../../src/domain/act/slab_level.ts';

it('is the highest band begun; work in time has none', () => {
  const bands = [
    { from_value: '7', level: 3, esclation_id: 9 },
    { from_value: '0', level: 0, esclation_id: null },
    { from_value: '1', level: 1, esclation_id: null },
  ];
  expect([0, 1, 6, 7, 40].map((days) => bandReached(days, bands)?.level ?? null)).toEqual([null, 1, 1, 3, 3]);
  expect(bandReached(3, [])).toBe(null);
});
