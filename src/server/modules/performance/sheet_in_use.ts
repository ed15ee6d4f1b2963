import type { Unit } from '../../engine/records/unit.ts';

/** The last month, from a month on, of which a sheet has submitted or approved figures; null = none. */
export async function lastEnteredMonth(unit: Unit, sheet: number, from: string): Promise<string | null> {
  const [done] = await unit.query<{ month: string }>(
    `select month from {kpi_actual} where sheet_id = $1 and active and month >= $2
       and (counts or status in ('submitted', 'approved', 'frozen') and source = 'manual') order by month desc limit 1`,
    [sheet, from],
  );
  return done?.month ?? null;
}

/** The number of a sheet that counts into a sheet; null = none does. */
export async function sheetBelow(unit: Unit, sheet: number): Promise<string | null> {
  const [below] = await unit.query<{ sheet_no: string }>(
    `select s.sheet_no from {kpi_sheet.lines} l join {kpi_sheet} s on s.id = l.parent_id
     where l.parent_sheet_id = $1 and s.active and s.status <> 'cancelled' limit 1`,
    [sheet],
  );
  return below?.sheet_no ?? null;
}

/** Removes the updates of a sheet from a month on. */
export async function dropUpdates(unit: Unit, sheet: number, from: string): Promise<void> {
  const later = await unit.query<{ id: number }>(
    'select id from {kpi_actual} where sheet_id = $1 and active and month >= $2 order by id',
    [sheet, from],
  );
  await unit.removeMany(
    'kpi_actual',
    later.map(({ id }) => id),
  );
}
