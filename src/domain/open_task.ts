/** A person's open tasks of one kind. */
export interface OpenTask {
  /** The record type. */
  type: string;
  /** What it is, in words. */
  title: string;
  open: number;
  late: number;
  /** The nearest day; YYYY-MM-DD. */
  next: string;
  route: string;
}
