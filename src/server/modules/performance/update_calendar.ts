import type { Unit } from '../../engine/records/unit.ts';

/** Days after the end of a period until its updates open, are due, are approved and are frozen. */
export interface UpdateCalendar {
  opens: number;
  due: number;
  approve: number;
  freeze: number;
}

interface Setting extends UpdateCalendar {
  frequency: string;
  kpi_type_id: number | null;
}

const USUAL: UpdateCalendar = { opens: 0, due: 5, approve: 8, freeze: 10 };

/** The calendar of a frequency by the KPI settings: that of the KPI's type overrides that for all types. */
export async function calendarsOf(unit: Unit): Promise<(frequency: string, type: number | null) => UpdateCalendar> {
  const rows = await unit.query<Setting & Record<string, unknown>>(
    `select frequency, kpi_type_id, opens_days as opens, due_days as due, approve_days as approve, freeze_days as freeze
     from {kpi_settings} where active`,
  );
  const find = (frequency: string, type: number | null) =>
    rows.find((row) => row.frequency === frequency && row.kpi_type_id === type);
  return (frequency, type) => find(frequency, type) ?? find(frequency, null) ?? USUAL;
}
