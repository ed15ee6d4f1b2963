import type { Place } from '../../descriptor/place.ts';
import type { PageType, Screen } from '../../descriptor/types.ts';
import type { Tenant } from '../db/tenant.ts';

export type Refusal = {
  reason: 'product' | 'module' | 'screen' | 'page_type' | 'action' | 'row' | 'field';
  message: string;
};

/** A user's row scope on a screen; the widest of the user's roles. */
export type DataScope = 'own' | 'team' | 'branch' | 'company' | 'all_companies';

/** A session's rights, compiled once and checked on every call. */
export interface Rights {
  isAdmin: boolean;
  /** The rights of the product itself: it works on records that only some people see, too. */
  isElevated?: true;
  version: number;
  /** null = allowed. */
  refuse(screen: Screen, page: PageType): Refusal | null;
  /** null = the user holds the action code (or the code is null). */
  refuseAction(action: string | null): Refusal | null;
  /** The row scope for a screen the user may open. */
  dataScope(screen: Screen): DataScope;
  /** Of types with groups, only the rows of groups that the person leads, within the row scope. */
  groupsOnly?: true;
  /** The delegators from whom alone the person has this right; empty = it is their own, or nobody has it. */
  delegatedBy?(screen: Screen, page: PageType): Lender[];
}

/** A person whose deputy the user is today. */
export interface ActsFor {
  employeeId: number;
  userId: number | null;
  name: string;
  /** The last day. */
  until: string;
  /** Record types; null = all. */
  types: string[] | null;
  /** The highest amount that may be approved on their behalf; null = unlimited. */
  limit: string | null;
}

/** A delegator whose right a deputy uses, with the row scope of that right. */
export interface Lender extends ActsFor {
  rights: Rights;
  branchIds: number[];
}

/** The caller, determined only by the server. */
export interface Session {
  sid: string;
  tenant: Tenant;
  userId: number;
  userName: string;
  employeeId: number | null;
  /**
   * The person's branch, or otherwise the company: its current day, financial year and currency. Default: the client's.
   */
  place?: Place;
  /** Current company; null = none chosen yet. */
  entityId: number | null;
  /** Companies the user is mapped to. */
  entityIds: number[];
  /** Reads the records of all of `entityIds` at once, with the rights that the person has in each of them. */
  together?: true;
  /** Branches the user is mapped to in the current company. */
  branchIds: number[];
  /** Ids of their roles in the current company. */
  roleIds?: number[];
  /** People of a partner, on the administration host: they only see the records of their partner. */
  partnerId?: number | null;
  rights: Rights;
  /** Where a write comes from, if not from a person or a program at this moment: a file, or a device without network. */
  origin?: 'import' | 'device';
  /** The person's delegators today: their rows are visible too. */
  actsFor?: ActsFor[];
}
