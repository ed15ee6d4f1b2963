import type { CatalogueView } from '../access/rights/catalogue_view.ts';
import type { Database } from './database.ts';

/** A client of the platform and where its data lives. */
export interface Tenant {
  id: number;
  subDomain: string;
  /** Schema name, `cmp_<sub>`; `public` for the platform itself. */
  schema: string;
  name: string;
  /** Product suffixes the client has bought (FMS, PMS …). */
  products: string[];
  active: boolean;
  timezone: string;
  /** Users that may be active or invited at the same time. */
  licensedUsers?: number;
  /** Of products that fewer people may use, how many; by product suffix. */
  productUsers?: Record<string, number>;
  /** The database of this tenant's rows. */
  db: Database;
  /** What was bought and is over, its days of grace too. */
  ended?: EndedSubscription;
  /** A restored copy: it sends and runs nothing until an administrator says so. */
  held?: boolean;
  /** What people are told of the subscription. */
  notices?: string[];
  /** What the platform's lists of modules and screens say otherwise than the product as it is shipped. */
  catalogue?: CatalogueView;
  /** When its products and notices may be others: the next midnight of the client, in ms since 1970. */
  until?: number;
}

/** Bought once, still shown, no longer usable. */
export interface EndedSubscription {
  /** Why nothing at all can be used; null = only the products are over. */
  all: string | null;
  /** By product suffix, why it cannot be used. */
  products: Record<string, string>;
}
