/** The props of every page written in code. */
export interface BespokeProps {
  /** Parameters of the address: `/screen_rights/:id` gives `id`. */
  params: Record<string, string>;
}
