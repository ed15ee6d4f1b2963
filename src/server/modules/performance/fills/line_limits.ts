import type { Fill } from '../../../engine/modules.ts';
import { performanceSettings } from '../performance_settings.ts';
import { linesOf, numberOf } from '../sheet_lines.ts';

interface Limits extends Record<string, unknown> {
  id: number;
  threshold: string | null;
  cap: string | null;
}

/** The floor and cap of each line's achievement: from its KPI, otherwise from Base performance (§5.4). */
export const lineLimits: Fill = {
  async run({ unit, record }) {
    const lines = linesOf(record);
    const settings = await performanceSettings(unit);
    const kpis = await unit.query<Limits>(
      'select id, threshold_percent::text as threshold, cap_percent::text as cap from {kpi} where id = any($1)',
      [lines.flatMap(({ kpi_id: id }) => (typeof id === 'number' ? [id] : []))],
    );
    const byId = new Map(kpis.map((kpi) => [kpi.id, kpi]));
    return {
      lines: lines.map((line) => {
        const kpi = byId.get(line.kpi_id as number);
        return {
          ...line,
          threshold_percent: numberOf(line.threshold_percent) ?? kpi?.threshold ?? settings.threshold_percent,
          cap_percent: numberOf(line.cap_percent) ?? kpi?.cap ?? settings.cap_percent,
        };
      }),
    };
  },
};
