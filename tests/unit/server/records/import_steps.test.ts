import { expect, it } from 'vitest';
import { decisionsOf, waitsForDecision } from '../../../../src/descriptor/workflow.ts';
import { importStepErrors } from '../../../../src/server/engine/records/import_steps.ts';
import { screenOf } from '../../descriptor/fixtures/compile_sample.ts';

const approves = { right: { page: 'approval_screen' as const } };
const screen = screenOf({
  workflow: {
    field: 'state',
    states: { draft: {}, waiting: {}, done: { title: 'Approved' } },
    transitions: {
      ask: { from: ['draft'], to: 'waiting' },
      approve: { from: ['waiting'], to: 'done', ...approves, who: ['!requester'] },
      print: { from: ['done'], ...approves },
    },
  },
});

it('an approving transition that excludes somebody is a decision, and records in its states wait', () => {
  expect(decisionsOf(screen).map(({ name }) => name)).toEqual(['approve']);
  expect(['draft', 'waiting', 'done'].map((state) => waitsForDecision(screen, { state }))).toEqual([
    false,
    true,
    false,
  ]);
});

it('an import changes no state', () => {
  const found = (before: string | null, after: string) =>
    importStepErrors(screen, before === null ? null : { state: before }, { state: after }).map(
      ({ message }) => message,
    );
  expect([found('draft', 'draft'), found(null, 'draft')]).toEqual([[], []]);
  const refusal = 'State changes by its steps, and not to "Approved" by an import. Leave it as it was.';
  expect([found('waiting', 'done'), found(null, 'done')]).toEqual([[refusal], [refusal]]);
});
