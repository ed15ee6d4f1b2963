import type { Unit } from '../../engine/records/unit.ts';

/** The maximum term of an independent director (s. 149(10)). */
const OF_INDEPENDENTS = 5;

/** The length of a term by the unit's type; five years for an independent director of a board. Null = open-ended. */
export async function termYears(unit: Unit, unitId: unknown, designation: unknown): Promise<number | null> {
  const [found] = await unit.query<{ years: number | null; kind: string; category: string }>(
    `select t.term_years as years, t.kind, d.category from {board_unit} u join {board_type} t on t.id = u.board_type_id,
     {board_designation} d where u.id = $1 and d.id = $2`,
    [unitId, designation],
  );
  if (!found) return null;
  return found.years ?? (found.kind === 'board' && found.category === 'independent' ? OF_INDEPENDENTS : null);
}
