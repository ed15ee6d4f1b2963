/** A rating that is compared with others before it becomes final. */
export interface ModerationCard {
  id: number;
  version: number;
  name: string;
  department: string | null;
  manager: string | null;
  /** With the changes of the moderation so far. */
  score: string;
  /** What parts and manager came to. */
  computed: string | null;
  /** As if the manager rated as the whole group does; null = the group is too small. */
  normalised: string | null;
  band: string | null;
  note: string | null;
  /** Whether it may still be moved. */
  open: boolean;
}

/** Ratings of a launch by band. */
export interface ModerationBoard {
  launch: string | null;
  bands: { label: string; from: string; to: string; quota: number | null }[];
  cards: ModerationCard[];
}

/** A reportee on the page on which a manager rates all. */
export interface TeamRating {
  id: number;
  version: number;
  employee_id: number;
  name: string;
  /** The period that is appraised. */
  period: string;
  /** As its state is called. */
  state: string;
  kpi_score: string | null;
  rated_score: string | null;
  rated_band: string | null;
  open: boolean;
  competencies: { row: number; name: string; expected: number; self: number | null; manager: number | null }[];
}

/** All reportees of a manager with an appraisal under way. */
export interface TeamRatings {
  bands: string[];
  rows: TeamRating[];
}
