import type { Direction } from '../../../domain/performance/achievement.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import type { ScorecardLine } from '../../../domain/performance/scorecard.ts';
import type { Frequency } from './kpi_months.ts';

/** A line as read, with what tells the records behind it. */
export type StoredLine = Omit<
  ScorecardLine,
  'past' | 'off_since' | 'off_remark' | 'records' | 'opens' | 'parts' | 'together' | 'pace'
> & {
  together?: ScorecardLine['together'];
  kpi_id: number;
  part: string | null;
  part_key: string;
  sheet_id: number;
  source: string;
  dimension: string | null;
  aggregation: Aggregation;
  direction: Direction;
  ends_on: string;
  frequency: Frequency;
  figure: string | null;
  base: string | null;
  tolerance: string | null;
};
