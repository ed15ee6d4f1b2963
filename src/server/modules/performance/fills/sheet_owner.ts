import type { Fill } from '../../../engine/modules.ts';
import { ownerOf } from '../sheet_owner.ts';

/** The type of the unit of a sheet, with the reference to it. */
const UNITS = {
  department: ['department', 'department_id'],
  branch: ['branch', 'branch_id'],
  store: ['store', 'store_id'],
  board_unit: ['board_unit', 'board_unit_id'],
} as const;

/** The name of a sheet's unit, and the manager of the person who answers for the sheet. */
export const sheetOwner: Fill = {
  async run({ unit, record }) {
    const owner = ownerOf(record);
    const [person] = await unit.query<{ manager_id: number | null }>(
      'select reporting_to_id as manager_id from {employee} where id = $1',
      [owner.responsible_id],
    );
    const manager = { manager_id: person?.manager_id ?? null };
    const { owner_kind: kind } = owner;
    if (kind === 'employee') return { ...manager, unit_name: null };
    const [type, id] =
      kind === 'entity' ? (['entity', unit.session.entityId] as const) : [UNITS[kind][0], owner[UNITS[kind][1]]];
    const [named] = await unit.query<{ name: string }>(`select name from {${type}} where id = $1`, [id]);
    return { ...manager, unit_name: named?.name ?? null };
  },
};
