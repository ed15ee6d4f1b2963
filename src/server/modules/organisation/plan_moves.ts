import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import type { PlannedMoves } from '../../../domain/organisation/reorganisation.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

export const rowsOfPlan = (record: WireRecord): Row[] => (record.moves ?? []) as Row[];

/** The moves of a plan: new managers by person. */
export function movesOfPlan(record: WireRecord): PlannedMoves {
  return new Map(
    rowsOfPlan(record).map(({ employee_id: id, to_manager_id: to }) => [id as number, (to ?? null) as number | null]),
  );
}

/** The department and the designation that a move brings besides the manager. */
export function placesOf(row: Row): { department_id?: number; designation_id?: number } {
  const { new_department_id: department, new_designation_id: designation } = row;
  return {
    ...(typeof department === 'number' && { department_id: department }),
    ...(typeof designation === 'number' && { designation_id: designation }),
  };
}

/** Everybody of the company who has not left, with their managers. */
export async function peopleOfPlan(unit: Unit): Promise<ReadonlyMap<number, Pick<ChartPerson, 'name' | 'parent'>>> {
  const rows = await unit.query<{ id: number; name: string; parent: number | null }>(
    `select id, name, reporting_to_id as parent from {employee} where entity_id = $1 and active and status <> 'left'`,
    [unit.session.entityId],
  );
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}
