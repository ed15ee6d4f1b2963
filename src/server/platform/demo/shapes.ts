/** A record as it is written: column values, child rows as arrays of objects, references as ids. */
export type Row = { id: number; entity_id?: number } & Record<string, unknown>;

/** Ids of the tenant's own copies of countries, states and cities. */
export interface Places {
  country(code: string): number;
  state(code: string): number;
  city(state: string, name: string): number;
}

/** One way to sign in, as `data/demo-sign-ins.txt` lists it. */
export interface SignIn {
  userId: number;
  username: string;
  /** What this person is, for the list of sign-ins; only the main ones carry it. */
  what?: string;
}

/** A whole tenant, made without touching a database. */
export interface DemoData {
  /** Record type → rows, in the order in which they are written. */
  rows: Map<string, Row[]>;
  signIns: SignIn[];
}
