import type { Aggregation, Pace } from './over_time.ts';
import type { ScorecardPeriod, ShortPeriod } from './scorecard_period.ts';
import type { FigureStyle } from './shown_figure.ts';

/** The tabs of a scorecard. */
export const SCORECARD_TABS = ['own', 'reportees', 'team', 'board'] as const;
export type ScorecardTab = (typeof SCORECARD_TABS)[number];

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
  /** The last remark since then, with its month where that is an earlier one; null = none. */
  off_remark: { text: string; month: string | null } | null;
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
  /** The member, or the sheet of a unit. */
  id: number;
  /** The address of the scorecard; null = there is nothing to see. */
  to: string | null;
  name: string;
  /** The designation of a member. */
  about: string | null;
  /** The scores of the last months, the oldest first; null = none in the month. */
  past: (string | null)[];
  score: string | null;
  band: string | null;
  /** Updates to enter. */
  open: number;
  /** The sheet is approved, and nobody has acknowledged or disputed it. */
  unacknowledged: boolean;
  /** The member has no KPIs that the reader may see in the period. */
  isWithout: boolean;
}

/** A row of a tree. */
export interface ReporteeRow extends ScoreRow {
  /** The member it is shown below; null = it is at the top. */
  above: number | null;
}

/** A KPI of everybody below a member. */
export interface TeamLine {
  kpi: string;
  type: string;
  unit: string;
  style: FigureStyle;
  decimals: number;
  /** Members who have it, and those with an approved figure. */
  members: number;
  entered: number;
  /** Added up as the KPI says; null = it is not added up over people. */
  target: string | null;
  actual: string | null;
  achievement: string | null;
  colour: ScorecardLine['colour'];
  /** Members by colour; the others have no figure. */
  colours: Record<NonNullable<ScorecardLine['colour']>, number>;
}

/** The KPIs of everybody below a member, however deep. */
export interface TeamFigures {
  /** Members with a score, and its average. */
  members: number;
  average: string | null;
  bands: { label: string; count: number }[];
  lines: TeamLine[];
}

/** A band of scores. */
export interface ScorecardBand {
  label: string;
  from: number;
  to: number;
  /** As entered; null = none. */
  colour: string | null;
}

/** A scorecard of a period: of a member or a unit. */
export interface Scorecard {
  owner: {
    name: string;
    /** The file with the photo of a member; null = none. */
    photo: number | null;
    /** A member: the designation and the branch. A unit: what it is. */
    about: string[];
    /** Who a member reports to, or who answers for a unit. */
    person: string | null;
    isUnit: boolean;
  } | null;
  /** The tab of this answer, and all tabs with content. */
  tab: ScorecardTab;
  tabs: ScorecardTab[];
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
  bands: ScorecardBand[];
  /** The highest score that a sheet may have. */
  most: number;
  /** KPIs that have a figure or do not apply, of all. */
  updated: { done: number; of: number };
  lines: ScorecardLine[];
  /** The people who report to the member with those below them, or the sheets that count into the unit's. */
  below: ReporteeRow[];
  /** There are more people below than are listed. */
  isCut: boolean;
  team: TeamFigures | null;
  /** The sheet of the company, for those who lead it. */
  company: Pick<Scorecard, 'score' | 'lines'> | null;
  /** Units whose sheets the reader sees. */
  units: ScoreRow[];
  /** Whether the reader leads the company: chairman, CEO, secretary. */
  leads: boolean;
  /** The address of the reader's own sheet that waits for acknowledgement; null = none. */
  acknowledge: string | null;
  /** The addresses of the updates to enter and of feedback; null = not for this reader. */
  update: string | null;
  feedback: { to: string; gives: boolean } | null;
  /** Whether the page says how a score came about. */
  explains: boolean;
}
