import type { PageType } from '../descriptor/types.ts';
import type { FieldAccess } from './field_access.ts';

/** One of the checks, with its result. */
export interface Layer {
  layer:
    | 'account'
    | 'platform'
    | 'client product'
    | 'user product'
    | 'company'
    | 'module'
    | 'screen'
    | 'page'
    | 'action'
    | 'delegation'
    | 'row';
  passed: boolean;
  text: string;
}

/** Why a user may, or may not, open a page. */
export interface Explanation {
  allowed: boolean;
  /** In words. */
  screen: string;
  /** The first layer that refuses; null = allowed. */
  reason: string | null;
  layers: Layer[];
  granting_roles: string[];
  data_scope: string | null;
  /** Fields of the screen that they may not write, if they may open it. */
  fields: { title: string; access: FieldAccess }[];
}

/** A screen that a user may open in a company: each page with the roles that give it. */
export interface EffectiveRight {
  screen_code: string;
  name: string;
  route: string | null;
  pages: Partial<Record<PageType, string[]>>;
  data_scope: 'own' | 'team' | 'branch' | 'company' | 'all_companies';
}

export interface EffectiveRights {
  user: { id: number; name: string; is_admin: boolean; status: string };
  companies: { id: number; name: string }[];
  entity_id: number | null;
  roles: { id: number; name: string }[];
  products: string[];
  actions: { code: string; roles: string[] }[];
  /** Their delegators today: until when, for which lists (null: all) and up to which amount. */
  acts_for: { name: string; until: string; types: string[] | null; limit: string | null }[];
  screens: EffectiveRight[];
  /** Fields that they may not write, of screens that they may open. */
  fields: { screen: string; title: string; access: FieldAccess }[];
}
