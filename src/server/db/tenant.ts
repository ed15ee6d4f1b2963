import type { Database } from './database.ts';

/** A client of the platform and the location of its data. */
export interface Tenant {
  id: number;
  subDomain: string;
  /** Schema name, `cmp_<sub>`; `public` for the platform itself. */
  schema: string;
  name: string;
  /** Product suffixes purchased by the client (FMS, PMS …). */
  products: string[];
  active: boolean;
  timezone: string;
  /** The maximum number of active or invited users. */
  licensedUsers?: number;
  /** The lower user limit of certain products; by product suffix. */
  productUsers?: Record<string, number>;
  /** The database of this tenant's rows. */
  db: Database;
  /** Expired purchases, including the grace period. */
  ended?: EndedSubscription;
  /** A restored copy: it sends and runs nothing until an administrator enables it. */
  held?: boolean;
  /** Notices about the subscription. */
  notices?: string[];
  /** The platform's changes to the shipped catalogue of modules and screens. */
  catalogue?: CatalogueView;
  /** When its products and notices may change: the next midnight of the client, in ms since 1970. */
  until?: number;
}

/** Bought once, still shown, no longer usable. */
export interface EndedSubscription {
  /** Why nothing at all can be used; null = only the products have expired. */
  all: string | null;
  /** By product suffix, why it cannot be used. */
  products: Record<string, string>;
}

/** The context of a service: the client, the person and their company. */
export interface Caller {
  tenant: Tenant;
  userId: number;
  entityId: number | null;
}

/** The platform's changes to the shipped catalogue of modules and screens, for one client. */
export interface CatalogueView {
  /** Differs if the view does. */
  key: string;
  /** The number of changes so far: a browser with a lower number has outdated rights and menu. */
  stamp: number;
  modulesOff: ReadonlySet<string>;
  moduleNames: ReadonlyMap<string, string>;
  /** By screen code, the message for people who request it. */
  screensOff: ReadonlyMap<string, string>;
  /** By screen code, whether everybody may open their own records there. */
  everyone: ReadonlyMap<string, boolean>;
  /** By address of the list, its name. */
  names: ReadonlyMap<string, string>;
  menu: readonly MenuChange[];
  /** Screens that are not shipped: roles tick them for their place in the menu. */
  added: readonly AddedScreen[];
  /** Codes of screens that were recently added, by an upgrade or by hand. */
  fresh: ReadonlySet<string>;
}

/** A custom screen of the platform: an entry for an existing page. */
export interface AddedScreen {
  code: string;
  name: string;
  route: string | null;
  module: string | null;
}

/** A change of one row of a client's menu. */
export interface MenuChange {
  change: 'hide' | 'rename' | 'move' | 'add';
  /** Code, address or name of an entry; to add, an address. */
  entry: string;
  name: string | null;
  under: string | null;
  position: number | null;
  /** For an added entry: the screen code that a role must tick for it. */
  screen?: string;
}
