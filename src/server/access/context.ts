import type { Place } from '../../descriptor/place.ts';
import type { PageType, Screen } from '../../descriptor/types.ts';
import type { Tenant } from '../db/tenant.ts';

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
  delegatedBy?(screen: Screen, page: PageType): Lender[];
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
