/** A KPI on a scorecard, in the chosen month; amounts are texts, null = there is none. */
export interface ScorecardLine {
  /** The update of the month. */
  id: number;
  kpi: string;
  type: string;
  unit: string;
  decimals: number;
  method: string;
  weight: string;
  target: string | null;
  target_day: string | null;
  range: [string, string] | null;
  actual: string | null;
  done_on: string | null;
  done: string | null;
  achievement: string | null;
  score: string | null;
  weighted: string | null;
  colour: 'red' | 'amber' | 'green' | 'blue' | null;
  status: string;
  remark: string | null;
  /** The address of the list of the records or updates that the actual comes from; null = it was entered, or no list shows them. */
  records: string | null;
  not_applicable: boolean;
  threshold: string;
  cap: string;
  /** Achievements of up to 12 months that end with this one, the oldest first. */
  past: (string | null)[];
  /** Since which month it has been red without a break; null = it is not. */
  off_since: string | null;
}

export interface ScorecardScore {
  month: string;
  score: string | null;
  covered: string;
  band: string | null;
  frozen: boolean;
}

/** Somebody's, or a unit's, score of the month in a list. */
export interface ScoreRow {
  /** The address of the scorecard. */
  to: string;
  name: string;
  score: string | null;
  band: string | null;
  /** Updates to enter. */
  open: number;
}

/** A scorecard of a month: of a member or a unit. */
export interface Scorecard {
  owner: {
    name: string;
    /** A member: the designation and the branch. A unit: what it is. */
    about: string[];
    /** Who a member reports to, or who answers for a unit. */
    person: string | null;
    isUnit: boolean;
  } | null;
  month: string | null;
  /** Months with updates, the latest first. */
  months: string[];
  score: (ScorecardScore & { trend: string | null }) | null;
  /** The place of the score among those of the month, equal scores sharing it; null = it is not shown. */
  rank: { place: number; of: number; among: string } | null;
  /** The decimals of a score. */
  decimals: number;
  /** Scores of up to 12 months, the oldest first. */
  past: ScorecardScore[];
  lines: ScorecardLine[];
  /** Those below: the people who report to the member, or the sheets that count into the unit's. */
  below: ScoreRow[];
  /** Units whose sheets the reader sees; on scorecards of members. */
  units: ScoreRow[];
  /** Whether the page says how a score came about. */
  explains: boolean;
}
