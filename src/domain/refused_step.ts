/** A step that the product could not take, as administrators see it. */
export interface RefusedStep {
  /** Type, record and step: there is one of them. */
  key: string;
  record: string;
  page: string;
  step: string;
  message: string;
  since: string;
  tries: number;
}
