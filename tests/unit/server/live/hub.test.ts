import { expect, test } from 'vitest';
import { condense } from '../../../../src/server/services/live/hub.ts';

test('the last change of a record is sent', () => {
  expect(
    condense([
      ['branch', 1, 'I', 1],
      ['branch', 2, 'I', 1],
      ['branch', 1, 'U', 1],
    ]),
  ).toEqual([
    ['branch', 2, 'I', 1],
    ['branch', 1, 'U', 1],
  ]);
});

test('many records of a type are sent as one change of the type', () => {
  const many = Array.from(
    { length: 5000 },
    (_, index) => ['branch', index + 1, 'I', 1] as [string, number, string, number],
  );
  expect(condense([...many, ['zone', 1, 'U', null]])).toEqual([
    ['branch', 0, 'I', null],
    ['zone', 1, 'U', null],
  ]);
});
