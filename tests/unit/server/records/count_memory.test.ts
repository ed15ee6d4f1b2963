import { expect, test } from 'vitest';
import { CountMemory } from '../../../../src/server/engine/records/count_memory.ts';

test('a list beyond the limit is cached for five seconds, by tenant, type and filter', () => {
  let now = 0;
  const memory = new CountMemory(() => now);
  memory.remember('cmp_a', 'branch', 'all');
  expect(memory.isBeyond('cmp_a', 'branch', 'all')).toBe(true);
  expect(memory.isBeyond('cmp_b', 'branch', 'all')).toBe(false);
  expect(memory.isBeyond('cmp_a', 'zone', 'all')).toBe(false);
  expect(memory.isBeyond('cmp_a', 'branch', 'other')).toBe(false);
  now = 5_001;
  expect(memory.isBeyond('cmp_a', 'branch', 'all')).toBe(false);
});

test('a change of the type drops all its lists at once', () => {
  const memory = new CountMemory(() => 0);
  memory.remember('cmp_a', 'branch', 'all');
  memory.remember('cmp_a', 'zone', 'all');
  memory.forget('cmp_a', 'branch');
  expect(memory.isBeyond('cmp_a', 'branch', 'all')).toBe(false);
  expect(memory.isBeyond('cmp_a', 'zone', 'all')).toBe(true);
});
