/** A record before it is written: column values, child rows as arrays of objects, references as ids. */
export type Row = { id: number; entity_id?: number } & Record<string, unknown>;

/** Ids of the tenant's own copies of countries, states and cities. */
export interface Places {
  country(code: string): number;
  state(code: string): number;
  city(state: string, name: string): number;
}

/** One sign-in, as listed in `data/demo-sign-ins.txt`. */
export interface SignIn {
  userId: number;
  username: string;
  /** A description of the person for the list of sign-ins; only the main ones have it. */
  what?: string;
}

/** A complete tenant, generated without a database. */
export interface DemoData {
  /** Record type → rows, in the order in which they are written. */
  rows: Map<string, Row[]>;
  signIns: SignIn[];
}
