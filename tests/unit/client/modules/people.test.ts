import { describe, expect, it } from 'vitest';
import type { TeamPerson } from '../../../../src/client/modules/platform/people_model.ts';
import { depthWords, inOrder, matching } from '../../../../src/client/modules/platform/people_model.ts';
import { candidates, chartOf, choiceInList } from '../../../../src/client/modules/organisation/reporting_model.ts';
import { TreeModel } from '../../../../src/client/runtime/tree/tree_model.ts';

const person = (
  id: number,
  name: string,
  depth: number,
  manager: number | null,
  more: Partial<TeamPerson> = {},
): TeamPerson =>
  ({
    id,
    name,
    depth,
    manager_id: manager,
    empno: `E${id}`,
    designation: null,
    department: null,
    branch: null,
    manager: null,
    ...more,
  }) as TeamPerson;

describe('a team', () => {
  // As the server sends it: by level, then by name.
  const team = [
    person(2, 'Asha', 1, 1),
    person(3, 'Binu', 1, 1),
    person(5, 'Chitra', 2, 3),
    person(4, 'Devi', 2, 2),
    person(6, 'Elango', 3, 4),
  ];

  it('is sorted with everybody under their own manager', () => {
    expect(inOrder(team).map(({ name }) => name)).toEqual(['Asha', 'Devi', 'Elango', 'Binu', 'Chitra']);
    // Somebody whose manager is not in the list stands at the top.
    expect(inOrder([person(8, 'Farid', 2, 99)]).map(({ name }) => name)).toEqual(['Farid']);
  });

  it('is searched by name, number, branch and manager', () => {
    const people = [person(2, 'Asha', 1, 1, { branch: 'Chennai' }), person(3, 'Binu', 2, 2, { manager: 'Asha' })];
    expect(matching(people, ' chen ').map(({ id }) => id)).toEqual([2]);
    expect(matching(people, 'asha').map(({ id }) => id)).toEqual([2, 3]);
    expect(matching(people, 'e3').map(({ id }) => id)).toEqual([3]);
    expect(matching(people, '')).toBe(people);
  });

  it('shows the distance below the user', () => {
    expect([depthWords(1), depthWords(3)]).toEqual(['Direct', '3 levels below']);
  });
});

describe('a move to another manager', () => {
  const node = (id: number, label: string, parent: number | null) => ({
    id,
    label,
    parent,
    children_count: 0,
    detail: `E${id}`,
  });
  const model = new TreeModel([
    node(1, 'Head', null),
    node(2, 'Lead', 1),
    node(3, 'Fitter', 2),
    node(4, 'Clerk', null),
  ]);

  it('is refused if it would create a cycle, with the names, and allowed anywhere else', () => {
    const to = (id: number) => choiceInList(model, chartOf(model), id);
    expect(to(1).refusal(3)).toBe('Fitter reports to Head: Head → Lead → Fitter. Choose another manager.');
    expect(to(3).refusal(2)).toBe('Fitter reports there already.');
    expect([to(3).refusal(4), to(3).refusal(null)]).toEqual([null, null]);
  });

  it('shows what changes only if everybody is loaded', () => {
    expect(choiceInList(model, chartOf(model), 2).preview(4)).toMatchObject({ along: 1, to: { span: [0, 1] } });
    const some = new TreeModel([node(1, 'Head', null), { ...node(2, 'Lead', 1), children_count: 3 }]);
    expect(choiceInList(some, chartOf(some), 2).preview(null)).toBeNull();
  });

  it('is searched by name and by number', () => {
    expect(candidates(model, 'le').map(({ label }) => label)).toEqual(['Clerk', 'Lead']);
    expect(candidates(model, 'e3').map(({ label }) => label)).toEqual(['Fitter']);
    expect(candidates(model, '')).toHaveLength(4);
  });
});
