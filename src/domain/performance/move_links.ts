/** Another place that a KPI may count into. */
export interface LinkChoice {
  /** The sheet; null = it counts nowhere. */
  sheet_id: number | null;
  /** Whose sheet it is. */
  name: string;
  /** The first month that counts there, YYYY-MM; null = all, because the sheet has no updates yet. */
  from: string | null;
}

/** A KPI of a member who gets another manager that counts into a sheet of the former one. */
export interface MoveLink {
  sheet_id: number;
  kpi_id: number;
  /** What the line is limited to; `-` = the whole KPI. */
  part_key: string;
  kpi: string;
  /** Whose sheet it is on. */
  owner: string;
  /** What it counts into now. */
  into: { sheet_id: number; name: string; isUnit: boolean };
  choices: LinkChoice[];
}

/** The decision about one of them. */
export interface Relink {
  sheet_id: number;
  kpi_id: number;
  /** Of a line by parts its key. */
  part_key?: string;
  /** The sheet that it counts into from then on; null = none. */
  to: number | null;
}
