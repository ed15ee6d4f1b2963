import type { Unit } from '../../engine/records/unit.ts';

/** How a company scores (Base performance and Scorecard in Settings); amounts are texts. */
export interface PerformanceSettings {
  threshold_percent: string;
  cap_percent: string;
  sheet_cap_percent: string;
  red_below: string;
  amber_below: string;
  blue_from: string;
  missing_actual: 'zero' | 'exclude';
}

const USUAL: PerformanceSettings = {
  threshold_percent: '50',
  cap_percent: '120',
  sheet_cap_percent: '120',
  red_below: '80',
  amber_below: '95',
  blue_from: '110',
  missing_actual: 'zero',
};

/** The settings of the company one works in; what it has not set is as shipped. */
export async function performanceSettings(unit: Unit): Promise<PerformanceSettings> {
  const company = [unit.session.entityId];
  const [base] = await unit.query<Partial<PerformanceSettings>>(
    `select threshold_percent::text, cap_percent::text, sheet_cap_percent::text from {base_performance}
     where entity_id = $1 order by id limit 1`,
    company,
  );
  const [shown] = await unit.query<Partial<PerformanceSettings>>(
    `select red_below::text, amber_below::text, blue_from::text, missing_actual from {calc_settings}
     where entity_id = $1 order by id limit 1`,
    company,
  );
  return { ...USUAL, ...base, ...shown };
}

export type Colour = 'red' | 'amber' | 'green' | 'blue';

/** The colour of an achievement in percent. */
export function colourOf(achievement: string, settings: PerformanceSettings): Colour {
  const value = Number(achievement);
  if (value < Number(settings.red_below)) return 'red';
  if (value < Number(settings.amber_below)) return 'amber';
  return value < Number(settings.blue_from) ? 'green' : 'blue';
}
