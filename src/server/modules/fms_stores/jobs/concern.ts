/** An item that needs attention: the text, the employees or accounts concerned, and its location. */
export interface Concern {
  event: string;
  link: string;
  employees: (number | null)[];
  users?: (number | null)[];
  values: Record<string, string>;
}
