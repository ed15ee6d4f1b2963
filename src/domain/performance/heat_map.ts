/** Members against KPIs or months. */
export interface HeatMap {
  /** Months, YYYY-MM. */
  from: string;
  to: string;
  byMonth: boolean;
  /** A month of several KPIs has their score. */
  shows: 'achievement' | 'score';
  columns: { key: string; name: string }[];
  rows: {
    id: number;
    name: string;
    /** By the columns; null = there is no figure. */
    cells: ({ achievement: string; colour: 'red' | 'amber' | 'green' | 'blue' } | null)[];
  }[];
  /** How many members more there are. */
  left: number;
}
