import { expect, it } from 'vitest';
import type { Directory, Place } from '../../../../src/server/modules/act_checklists/checklist_directory.ts';
import type { AssignRule } from '../../../../src/server/modules/act_checklists/who_does_it.ts';
import { doersOf } from '../../../../src/server/modules/act_checklists/who_does_it.ts';

const place: Place = {
  scope_type: 'entity',
  scope_id: 1,
  branch_id: null,
  department_id: null,
  unit_id: null,
  employee_id: null,
  name: 'the company',
};
const member = (id: number) =>
  ({ id, name: `P${id}`, branch_id: null, department_id: null, designation_id: null, reporting_to_id: null }) as const;
const rule: AssignRule = {
  branch_id: null,
  department_id: null,
  assign_by: 'role',
  field_of: null,
  person_field: null,
  employee_id: null,
  designation_id: null,
  role_id: 7,
  mode: 'round_robin',
};
const away = (ids: number[], from: string, to: string): Directory => ({
  members: new Map([11, 14, 19].map((id) => [id, member(id)])),
  branches: [],
  departments: [],
  units: [],
  roles: new Map([[7, [11, 14, 19]]]),
  named: new Map(),
  away: ids.map((id) => ({ employee_id: id, from, to })),
});

it('passes over people who are away on the day on which a task opens, unless all are (§5.1)', () => {
  const turn = (directory: Directory, last: number, day: string) =>
    doersOf({ id: 1, assign: [rule] }, place, 99, day, directory, {
      last: new Map([['1 entity 1', last]]),
      open: new Map(),
      lastOn: new Map(),
    }).assignees;
  expect(turn(away([], '', ''), 14, '2026-03-10')).toEqual([19]);
  expect(turn(away([19], '2026-03-10', '2026-03-12'), 14, '2026-03-10')).toEqual([11]);
  expect(turn(away([19], '2026-03-10', '2026-03-12'), 14, '2026-03-13')).toEqual([19]);
  expect(turn(away([11, 14, 19], '2026-03-10', '2026-03-12'), 14, '2026-03-11')).toEqual([19]);
});
