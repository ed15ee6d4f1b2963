/** Whom a dashboard of clients is for, and whether the chosen client lets the reader see its figures. */
export interface ClientAccess {
  code: string;
  /** Sub-domains that the page was made for. */
  named: string[];
  clients: { sub_domain: string; name: string }[];
  client: string | null;
  access: 'none' | 'off' | 'ask' | 'asked' | 'refused' | 'open';
  asked_at: string | null;
  until: string | null;
  /** Where the figures come from and how fresh they are. */
  collections: { code: string; title: string; rows: number; refreshed_at: string | null }[];
}
