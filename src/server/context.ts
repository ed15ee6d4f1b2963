import type { Place } from '../descriptor/place.ts';
import type { PageType, Screen } from '../descriptor/types.ts';
import type { Database } from './db/database.ts';
import type { CatalogueView } from './sessions/catalogue_view.ts';

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

export type Refusal = {
  reason: 'product' | 'module' | 'screen' | 'page_type' | 'action' | 'row' | 'field';
  message: string;
};

/** How wide a user sees rows of a screen; the widest of the user's roles. */
export type DataScope = 'own' | 'team' | 'branch' | 'company' | 'all_companies';

/** A session's rights, compiled once and asked on every call. */
export interface Rights {
  isAdmin: boolean;
  version: number;
  /** null = allowed. */
  refuse(screen: Screen, page: PageType): Refusal | null;
  /** null = the user holds the action code (or the code is null). */
  refuseAction(action: string | null): Refusal | null;
  /** The row scope for a screen the user may open. */
  dataScope(screen: Screen): DataScope;
  /** Whose right this is, when the person has it as their deputy alone; empty = it is their own, or nobody's. */
  lentBy?(screen: Screen, page: PageType): Lender[];
}

/** Somebody whose deputy a person is today. */
export interface ActsFor {
  employeeId: number;
  userId: number | null;
  name: string;
  /** The last day. */
  until: string;
  /** Record types; null = all. */
  types: string[] | null;
  /** The highest amount that may be approved for them; null = any. */
  limit: string | null;
}

/** Somebody whose right a deputy uses, with what they see by it themselves. */
export interface Lender extends ActsFor {
  rights: Rights;
  branchIds: number[];
}

/** Who is asking, decided by the server alone. */
export interface Session {
  sid: string;
  tenant: Tenant;
  userId: number;
  userName: string;
  employeeId: number | null;
  /** Where the person's branch is, or else the company: its day, financial year and currency. Default: where the client is. */
  place?: Place;
  /** Current company; null = none chosen yet. */
  entityId: number | null;
  /** Companies the user is mapped to. */
  entityIds: number[];
  /** Branches the user is mapped to in the current company. */
  branchIds: number[];
  /** Their roles in the current company, by number. */
  roleIds?: number[];
  /** People of a partner, on the administration host: they see what is their partner's. */
  partnerId?: number | null;
  rights: Rights;
  /** Whose deputy the person is today: their rows are in sight as well. */
  actsFor?: ActsFor[];
}
