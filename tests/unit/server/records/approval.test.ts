import { expect, it } from 'vitest';
import { approves, importStepErrors } from '../../../../src/server/records/approval.ts';
import { screenOf } from '../../descriptor/fixtures/compile_sample.ts';

const screen = screenOf(
  {
    flow: {
      field: 'state',
      start: ['draft'],
      moves: { draft: ['waiting'], waiting: ['done', 'draft'] },
      approve: { moves: { waiting: ['done'] } },
    },
    actions: [
      { title: 'Approve', move: 'done' },
      { title: 'Back', move: 'draft' },
    ],
  },
  { state: { enum: ['draft', 'waiting', 'done'], 'x-labels': { done: 'Approved' } } },
);

it('a step that approves is that alone, also where nothing was before', () => {
  const yes = (before: string | null, after: string | null) =>
    approves(screen, before === null ? null : { state: before }, { state: after });
  expect([
    yes('waiting', 'done'),
    yes('waiting', 'draft'),
    yes('waiting', 'waiting'),
    yes('draft', 'waiting'),
    yes('waiting', null),
  ]).toEqual([true, false, false, false, false]);
  expect([
    approves(screen, { state: null }, { state: 'done' }),
    approves(screen, { state: null }, { state: 'draft' }),
  ]).toEqual([true, false]);
  expect(approves(screenOf(), { state: 'waiting' }, { state: 'done' })).toBe(false);
});

it('an import takes the other steps, approves nothing, and jumps over none', () => {
  const told = (before: string | null, after: string) =>
    importStepErrors(screen, before === null ? null : { state: before }, { state: after }).map(
      ({ message }) => message,
    );
  expect(told('draft', 'waiting')).toEqual([]);
  expect(told('waiting', 'waiting')).toEqual([]);
  expect(told('waiting', 'done')).toEqual([
    '"Approved" is decided at the thing itself, not by an import. Leave it as it was.',
  ]);
  expect(told('draft', 'done')).toEqual([expect.stringContaining('does not follow')]);
  expect(told(null, 'done')).toEqual([expect.stringContaining('A new record begins as')]);
});

it('who asked is whoever made or changed it, unless the type says otherwise; actions are offered where they may follow', () => {
  expect(screen.flow?.approve?.asked).toEqual(['created_by', 'updated_by']);
  expect(screen.actions).toMatchObject([
    { call: 'move/done', page: 'approval_screen', when: "state in ['waiting']" },
    { call: 'move/draft', page: 'edit_screen', when: "state in ['waiting']" },
  ]);
});
