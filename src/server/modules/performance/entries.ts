import type { EntryPeriod } from '../../../domain/performance/entry_periods.ts';
import { daysOf, weeksOf } from '../../../domain/performance/entry_periods.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Frequency } from './kpi_months.ts';
import { lastDay } from './kpi_months.ts';
import type { EnteredFigure } from './unit_decimals.ts';

/** A day or week of an update, with its figure. */
export interface Entry extends EntryPeriod {
  value: string | null;
  due_on: string;
  freezes_on: string;
}

export const entriesOf = (update: Readonly<Record<string, unknown>>): Entry[] =>
  Array.isArray(update.entries) ? (update.entries as Entry[]) : [];

/**
 * The figures that people enter in an update: those of its days, weeks or parts, otherwise its value. A value that
 * follows from its days, weeks or parts may be a mean.
 */
export function enteredFigures(update: Readonly<Record<string, unknown>>): EnteredFigure[] {
  if (update.not_applicable === true) return [];
  const parts = Array.isArray(update.parts) ? (update.parts as { value: unknown }[]) : [];
  const below = [
    ...entriesOf(update).map(({ value }) => ({ field: 'entries', value })),
    ...parts.map(({ value }) => ({ field: 'parts', value })),
  ];
  return below.length > 0 ? below : [{ field: 'value', value: update.value }];
}

/** The days or weeks of a month for which a KPI is entered within a sheet's days; others have none. */
export async function entryPeriods(
  unit: Unit,
  sheet: Readonly<Record<string, unknown>>,
  frequency: Frequency,
  month: string,
  startMonth: number,
): Promise<EntryPeriod[]> {
  if (frequency !== 'daily' && frequency !== 'weekly') return [];
  const isInForce = ({ from_day: from, to_day: to }: EntryPeriod) =>
    to >= String(sheet.valid_from) && from <= String(sheet.valid_to);
  if (frequency === 'weekly') return weeksOf(month, startMonth).filter(isInForce);
  const { entityId, tenant } = unit.session;
  const place = { entityId, branchId: (sheet.branch_id as number | null | undefined) ?? null };
  return daysOf(month, await worksOn(tenant, place, `${month}-01`, lastDay(month))).filter(isInForce);
}
