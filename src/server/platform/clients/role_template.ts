import type { FieldRight } from '../../../domain/field_access.ts';
import type { DataScope } from '../../access/context.ts';

/** F = every page, E = list, view and edit, M = list and view, - = the module is not active. */
export type Reach = 'F' | 'E' | 'M' | '-';

export interface RoleTemplate {
  code: string;
  /** Only clients that have bought it get this role. */
  product?: string;
  name: string;
  description: string;
  modules: Record<string, Reach>;
  /** Screens that differ from their module. */
  screens?: Record<string, Reach>;
  actions: string[];
  scope: DataScope;
  /** Screens whose records it sees more widely: lists that a person chooses from, places they are sent to. */
  scopes?: Record<string, DataScope>;
  landing?: string;
  /** Fields that it keeps from people. */
  fields?: FieldRight[];
}
