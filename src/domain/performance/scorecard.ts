import type { Aggregation, Pace } from './over_time.ts';
import type { ScorecardPeriod, ShortPeriod } from './scorecard_period.ts';
import type { FigureStyle } from './shown_figure.ts';

/** A KPI on a scorecard, in the chosen period; amounts are texts, null = there is none. */
export interface ScorecardLine {
  /** The last update of the period. */
  id: number;
  kpi: string;
  type: string;
  unit: string;
  style: FigureStyle;
  /** It is only tracked. */
  isMetric: boolean;
  decimals: number;
  method: string;
  weight: string;
  target: string | null;
  target_day: string | null;
  range: [string, string] | null;
  actual: string | null;
  /** Of an actual that is entered year to date: what the month itself adds. */
  alone: string | null;
  /** What others reach; null = the KPI names none. */
  benchmark: string | null;
  done_on: string | null;
  done: string | null;
  achievement: string | null;
  score: string | null;
  weighted: string | null;
  colour: 'red' | 'amber' | 'green' | 'blue' | null;
  status: string;
  remark: string | null;
  /** Where the KPI's figure comes from, and who owns the KPI. */
  data_source: string | null;
  owner: string | null;
  /** The address of the list of the records or updates that the actual comes from; null = it was entered, or no list shows them. */
  records: string | null;
  /** The address of the KPI by channel, division or the like; null = it is entered as one figure. */
  parts: string | null;
  /** The address of the update, or of the updates of a longer period. */
  opens: string;
  /** Of a member's KPI: the addresses of the feedback on it and of the form for more; null = not for this reader. */
  feedback: { list: string; give: string | null } | null;
  not_applicable: boolean;
  threshold: string;
  cap: string;
  /** The achievement that earns the cap; null = the achievement itself counts. */
  stretch: string | null;
  /** How the periods of a longer period count together; null = the period is a month. */
  together: { as: Aggregation; months: number; of: number } | null;
  /** While the month runs, of KPIs that add up. */
  pace: Pace | null;
  /** Up to 12 months that end with this one, the oldest first. */
  past: PastMonth[];
  /** Since which month it has been red without a break; null = it is not. */
  off_since: string | null;
}

/** A KPI in a month before. */
export interface PastMonth {
  month: string;
  achievement: string | null;
  actual: string | null;
  target: string | null;
}

export interface ScorecardScore {
  month: string;
  score: string | null;
  /** The percentage of the weight that has an actual; null = it is the average of the months. */
  covered: string | null;
  band: string | null;
  frozen: boolean;
}

/** Somebody's, or a unit's, score of the period in a list. */
export interface ScoreRow {
  /** The address of the scorecard. */
  to: string;
  name: string;
  score: string | null;
  band: string | null;
  /** Updates to enter. */
  open: number;
  /** The sheet is approved, and nobody has acknowledged or disputed it. */
  unacknowledged: boolean;
}

/** A scorecard of a period: of a member or a unit. */
export interface Scorecard {
  owner: {
    name: string;
    /** A member: the designation and the branch. A unit: what it is. */
    about: string[];
    /** Who a member reports to, or who answers for a unit. */
    person: string | null;
    isUnit: boolean;
  } | null;
  period: ScorecardPeriod | ShortPeriod;
  /** Whether KPIs are entered by day or week, which may then be chosen. */
  hasDays: boolean;
  /** The last month of the period that has updates. */
  month: string | null;
  title: string;
  /** The periods with updates, each by its last month, the latest first. */
  choices: { month: string; day?: string; title: string }[];
  score: (ScorecardScore & { trend: string | null }) | null;
  /** The place of the score among those of the month, equal scores sharing it; null = it is not shown. */
  rank: { place: number; of: number; among: string } | null;
  /** The decimals of a score. */
  decimals: number;
  lines: ScorecardLine[];
  /** Those below: the people who report to the member, or the sheets that count into the unit's. */
  below: ScoreRow[];
  /** Units whose sheets the reader sees; on scorecards of members. */
  units: ScoreRow[];
  /** The address of the reader's own sheet that waits for acknowledgement; null = none. */
  acknowledge: string | null;
  /** Whether the page says how a score came about. */
  explains: boolean;
}
