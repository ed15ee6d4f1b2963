/** A refused automatic transition, as shown to administrators. */
export interface RefusedStep {
  /** Type, record and transition: there is at most one. */
  key: string;
  record: string;
  page: string;
  step: string;
  message: string;
  since: string;
  tries: number;
}
