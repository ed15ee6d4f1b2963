/** What every page that is code is given. */
export interface BespokeProps {
  /** Of the address: `/screen_rights/:id` gives `id`. */
  params: Record<string, string>;
}
