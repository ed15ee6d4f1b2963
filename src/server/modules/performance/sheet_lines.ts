import type { WireRecord } from '../../../descriptor/types.ts';
import type { AchievementMethod } from '../../../domain/performance/achievement.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import type { Dimension } from './figures_by_dimension.ts';
import type { RollUp } from '../../../domain/performance/roll_up.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { endsOf, lastDay, monthsOfYear, targetColumn } from './kpi_months.ts';
import type { Frequency } from './kpi_months.ts';

/** The data of a KPI that a sheet needs. */
export interface SheetKpi {
  id: number;
  name: string;
  measure: 'kpi' | 'metric';
  kpi_type_id: number;
  decimals: number;
  frequency: Frequency;
  period_aggregation: Aggregation;
  achievement_method: AchievementMethod;
  approval_required: boolean;
  /** Only the line of the member sees its figures. */
  confidential: boolean;
  source: 'manual' | 'formula' | 'system' | 'import';
  /** The figure of records that it follows. */
  figure: string | null;
  org_rollup: RollUp | 'none';
  target_rollup: 'own' | 'rollup';
  /** The behaviour of its target type; null = each period by itself. */
  behaviour: 'period' | 'cumulative' | 'level' | 'milestone' | 'binary' | null;
  /** Its target is spread over the periods of a year. */
  is_phased: boolean;
  weight_min: string;
  weight_max: string;
  dimension: Dimension | null;
  valid_from: string;
  valid_to: string | null;
}

/** A sheet line as stored or in the form. */
export type SheetLine = Readonly<Record<string, unknown>> & { kpi_id?: unknown; weight?: unknown };

export const linesOf = (sheet: Readonly<Record<string, unknown>> | null): SheetLine[] =>
  Array.isArray(sheet?.lines) ? (sheet.lines as SheetLine[]) : [];

/** The KPIs of lines, by id. */
export async function kpisOf(unit: Unit, lines: readonly SheetLine[]): Promise<Map<number, SheetKpi>> {
  const ids = lines.flatMap(({ kpi_id: id }) => (typeof id === 'number' ? [id] : []));
  const rows = await unit.query<SheetKpi>(
    `select k.id, k.name, k.measure, k.kpi_type_id, k.decimals, k.frequency, k.period_aggregation, k.achievement_method,
       k.approval_required, coalesce(k.confidential, false) as confidential, k.source, k.figure, k.dimension, k.org_rollup, k.target_rollup, t.weight_min::text, t.weight_max::text, k.valid_from::text, k.valid_to::text,
       y.behaviour, coalesce(y.phasing_allowed, true) as is_phased
     from {kpi} k join {kpi_type} t on t.id = k.kpi_type_id left join {target_type} y on y.id = k.target_type_id where k.id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The first month of the company's financial year. */
export async function startMonthOf(unit: Unit): Promise<number> {
  const [company] = await unit.query<{ start: number }>('select fy_start_month as start from {entity} where id = $1', [
    unit.session.entityId,
  ]);
  return company?.start ?? 4;
}

export interface LinePeriod {
  /** YYYY-MM: the last month of the period. */
  month: string;
  endsOn: string;
  /** The column of the line that holds the target. */
  column: string;
}

/** The periods of a KPI that end while the sheet is in force. */
export function periodsOf(
  sheet: Readonly<Record<string, unknown>>,
  frequency: Frequency,
  startMonth: number,
): LinePeriod[] {
  const months = monthsOfYear(String(sheet.financial_year), startMonth);
  return endsOf(frequency).flatMap((place) => {
    const month = months[place]!;
    const endsOn = lastDay(month);
    const isInForce = endsOn >= String(sheet.valid_from) && `${month}-01` <= String(sheet.valid_to);
    return isInForce ? [{ month, endsOn, column: targetColumn(place) }] : [];
  });
}

/** Methods without a numeric target. */
const WITHOUT_NUMBER: readonly AchievementMethod[] = ['milestone', 'binary', 'range'];
export const needsNumber = ({ achievement_method: method }: Pick<SheetKpi, 'achievement_method'>): boolean =>
  !WITHOUT_NUMBER.includes(method);

/** Why a way from the base to the target has no length. */
export const equalsBase = (kpi: string): string =>
  `${kpi}: base and target are equal, so no score can be computed. Change one of them.`;

export const numberOf = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

export type Sheet = WireRecord;
