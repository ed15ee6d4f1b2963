import { yearSpan } from '../../../descriptor/financial_year.ts';
import { place } from '../../../descriptor/place.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import { monthsOfYear } from './kpi_months.ts';

/**
 * The first and last month chosen. Without `from` they lie in the chosen financial year; with it the months count as
 * chosen, and the year only ends them where there is no `to`.
 */
export function chosenMonths(parameters: Readonly<Record<string, unknown>>): [from: string | null, to: string | null] {
  const month = (name: string) => (typeof parameters[name] === 'string' ? parameters[name] : null);
  const [year, from, to] = [month('financial_year'), month('from'), month('to')];
  if (year === null) return [from, to];
  const span = yearSpan(Number(year.slice(0, 4)), place().fyStartMonth);
  const [first, last] = [span.from.slice(0, 7), span.to.slice(0, 7)];
  if (from !== null) return [from, to ?? last];
  return [first, to !== null && to < last ? to : last];
}

/** The conditions on the month of the updates `a` that follow from the reader's choice. */
export function inChosenMonths(parameters: Readonly<Record<string, unknown>>, values: SqlParams): string[] {
  const [from, to] = chosenMonths(parameters);
  return [
    ...(from === null ? [] : [`a.month >= ${values.bind(from)}`]),
    ...(to === null ? [] : [`a.month <= ${values.bind(to)}`]),
  ];
}

/** The months of the chosen financial year, as the reader's company counts it. */
export const monthsOfChosenYear = (parameters: Readonly<Record<string, unknown>>): string[] =>
  monthsOfYear(String(parameters.financial_year), place().fyStartMonth);
