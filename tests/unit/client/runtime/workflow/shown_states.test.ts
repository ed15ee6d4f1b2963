import { describe, expect, it } from 'vitest';
import { shownStates } from '../../../../../src/client/runtime/workflow/shown_states.ts';
import type { State, Transition, Workflow } from '../../../../../src/descriptor/workflow.ts';

const state = (name: string, more: Partial<State> = {}) => ({ name, title: name, is: 'open', ...more }) as State;
const states = [
  state('draft'),
  state('asked'),
  state('checked'),
  state('returned', { aside: true }),
  state('held', { aside: true }),
  state('done', { is: 'closed' }),
  state('dropped', { is: 'cancelled' }),
];
const ways: [string, string][] = [
  ['draft', 'asked'],
  ['asked', 'checked'],
  ['checked', 'returned'],
  ['returned', 'asked'],
  ['checked', 'held'],
  ['held', '<back>'],
  ['checked', 'done'],
  ['asked', 'dropped'],
];
const workflow = {
  states,
  transitions: ways.map(([from, to]) => ({ name: `${from}_${to}`, from: [from], to }) as Transition),
} as Workflow;

const shown = (current: string) =>
  shownStates(
    workflow,
    states.find(({ name }) => name === current)!,
  ).map(({ name }) => name);

describe('the steps above a record', () => {
  it('are the normal path, with the end of a cancelled record instead of its own', () => {
    expect(shown('checked')).toEqual(['draft', 'asked', 'checked', 'done']);
    expect(shown('dropped')).toEqual(['draft', 'asked', 'checked', 'dropped']);
  });

  it('come again after a state that sends back, and not after one that waits', () => {
    expect(shown('returned')).toEqual(['draft', 'returned', 'asked', 'checked', 'done']);
    expect(shown('held')).toEqual(['draft', 'asked', 'checked', 'held', 'done']);
  });
});
