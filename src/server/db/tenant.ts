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
  /** What people read about the subscription. */
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

/** For whom a service works: the client, the person and the company that they work in. */
export interface Caller {
  tenant: Tenant;
  userId: number;
  entityId: number | null;
}

/** What the platform's lists of modules and screens say otherwise than the product as it is shipped, for one client. */
export interface CatalogueView {
  /** Differs when the view does. */
  key: string;
  /** Changes made so far: what a browser knows of rights and menu is older when it knows a lower number. */
  stamp: number;
  modulesOff: ReadonlySet<string>;
  moduleNames: ReadonlyMap<string, string>;
  /** By screen code, what a person reads who asks for it. */
  screensOff: ReadonlyMap<string, string>;
  /** By screen code, whether everybody may open their own records there. */
  everyone: ReadonlyMap<string, boolean>;
  /** By address of the list, its name. */
  names: ReadonlyMap<string, string>;
  menu: readonly MenuChange[];
  /** Screens that are not shipped: roles tick them for their place in the menu. */
  added: readonly AddedScreen[];
  /** Codes of screens that came with an upgrade, or were added, not long ago. */
  fresh: ReadonlySet<string>;
}

/** A screen of the platform's own: an entry that leads to a page there is. */
export interface AddedScreen {
  code: string;
  name: string;
  route: string | null;
  module: string | null;
}

/** One row of a client's menu changes. */
export interface MenuChange {
  change: 'hide' | 'rename' | 'move' | 'add';
  /** Code, address or name of an entry; to add, an address. */
  entry: string;
  name: string | null;
  under: string | null;
  position: number | null;
  /** Of an added entry: the screen code that a role must tick for it. */
  screen?: string;
}
