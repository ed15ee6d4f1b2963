import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The scoring settings of a company (Base performance and Scorecard in Settings); amounts are decimals as text. */
export interface PerformanceSettings {
  threshold_percent: string;
  cap_percent: string;
  sheet_cap_percent: string;
  red_below: string;
  amber_below: string;
  blue_from: string;
  missing_actual: 'zero' | 'exclude';
  year_score: 'cumulative' | 'average_of_periods';
}

const USUAL: PerformanceSettings = {
  threshold_percent: '50',
  cap_percent: '120',
  sheet_cap_percent: '120',
  red_below: '80',
  amber_below: '95',
  blue_from: '110',
  missing_actual: 'zero',
  year_score: 'cumulative',
};

/** The current company's settings, with the shipped defaults. */
export function performanceSettings(unit: Unit): Promise<PerformanceSettings> {
  return unit.once(`performance settings ${unit.session.entityId}`, async () => {
    const [row] = await unit.query<{ settings: Partial<PerformanceSettings> }>(settingsSql('$1'), [
      unit.session.entityId,
    ]);
    return withUsual(row?.settings);
  });
}

/** Reads the stored settings of a company as one column. */
export const settingsSql = (company: string): string => `select coalesce((
    select jsonb_build_object('threshold_percent', threshold_percent::text, 'cap_percent', cap_percent::text,
      'sheet_cap_percent', sheet_cap_percent::text) from {base_performance} where entity_id = ${company} order by id limit 1), '{}')
  || coalesce((
    select jsonb_build_object('red_below', red_below::text, 'amber_below', amber_below::text, 'blue_from', blue_from::text,
      'missing_actual', missing_actual, 'year_score', year_score) from {calc_settings} where entity_id = ${company} order by id limit 1), '{}')
  as settings`;

/** Stored settings, with the shipped defaults. */
export const withUsual = (stored: Partial<PerformanceSettings> | undefined): PerformanceSettings => ({
  ...USUAL,
  ...stored,
});

/** Days after which an approved sheet counts as acknowledged; null = never. */
export async function autoAcknowledgeDays(unit: Unit): Promise<number | null> {
  const [row] = await unit.query<{ days: number | null }>(
    'select auto_acknowledge_days as days from {calc_settings} where entity_id = $1 order by id limit 1',
    [unit.session.entityId],
  );
  return row?.days ?? null;
}

/** The default thresholds of the colours. */
export type ColourLimits = Pick<PerformanceSettings, 'red_below' | 'amber_below' | 'blue_from'>;
const USUAL_COLOURS: ColourLimits = USUAL;

export type Colour = 'red' | 'amber' | 'green' | 'blue';

/** The colour of an achievement in percent. */
export function colourOf(achievement: string, settings: ColourLimits): Colour {
  const value = Number(achievement);
  if (value < Number(settings.red_below)) return 'red';
  if (value < Number(settings.amber_below)) return 'amber';
  return value < Number(settings.blue_from) ? 'green' : 'blue';
}

/** The colours of a company's achievements. */
export async function colourLimits({ db, schema }: Tenant, entityId: number | null): Promise<ColourLimits> {
  const [limits] = await db.query<{ red_below: string; amber_below: string; blue_from: string }>(
    preparedStatement(
      `select red_below::text, amber_below::text, blue_from::text from ${tableName(schema, 'calc_settings')} where entity_id = $1 limit 1`,
      [entityId],
    ),
  );
  return limits ?? USUAL_COLOURS;
}
