/** The clients a dashboard is meant for, and whether the chosen client lets the reader see its figures. */
export interface ClientAccess {
  code: string;
  /** Sub-domains for which the page was made. */
  named: string[];
  clients: { sub_domain: string; name: string }[];
  client: string | null;
  access: 'none' | 'off' | 'ask' | 'asked' | 'refused' | 'open';
  asked_at: string | null;
  until: string | null;
  /** The source of the figures and their age. */
  collections: { code: string; title: string; rows: number; refreshed_at: string | null }[];
}
