import type { AchievementSlab, Direction } from '../../../../domain/performance/achievement.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { performanceSettings } from '../performance_settings.ts';
import { updateScore } from '../update_score.ts';

const NONE = { achievement: null, score: null, weighted: null, colour: null };

/** Achievement, score and colour of an update (performance.md §5.3, 5.4); empty without an actual. */
export const achievement: Fill = {
  async run({ unit, record }) {
    if (record.not_applicable === true) return NONE;
    const [kpi] = await unit.query<{ direction: Direction; tolerance: string | null }>(
      'select direction, tolerance::text from {kpi} where id = $1',
      [record.kpi_id],
    );
    if (!kpi) return NONE;
    const slabs =
      record.method === 'slab'
        ? await unit.query<AchievementSlab>(
            `select from_percent::text as "from", to_percent::text as "to", achievement::text from {kpi.slabs}
             where parent_id = $1 order by from_percent`,
            [record.kpi_id],
          )
        : [];
    return { ...updateScore(record, { ...kpi, slabs }, await performanceSettings(unit), dayOfRecord(unit, record)) };
  },
};
