/** A record by type and number. */
export interface Ref {
  type: string;
  id: number;
}
