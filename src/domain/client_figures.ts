/** A figure of a client over its months. */
export interface ClientKpi {
  id: number;
  name: string;
  unit: string;
  /** Of figures without a day: as it is now; else of the newest month there is. */
  value: string | null;
  month: string | null;
  /** The month before. */
  before: string | null;
  months: { month: string; value: string }[];
}

/** What a dashboard shows of a client. */
export interface ClientFigures {
  kpis: ClientKpi[];
  top: { title: string; unit: string; rows: { name: string; value: string }[] }[];
  /** Where the figures come from and how fresh they are. */
  collections: { code: string; title: string; rows: number; refreshed_at: string | null }[];
}
