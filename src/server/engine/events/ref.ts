/** A reference to a record: type and id. */
export interface Ref {
  type: string;
  id: number;
}
