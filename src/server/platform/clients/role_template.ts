import type { FieldRight } from '../../../domain/field_access.ts';
import type { DataScope } from '../../access/context.ts';

/** F = every page, A = every page but approval, E = list, view and edit, M = list and view, - = the module is not active. */
export type Reach = 'F' | 'A' | 'E' | 'M' | '-';

export interface RoleTemplate {
  code: string;
  /** Only for clients with this product. */
  product?: string;
  name: string;
  description: string;
  modules: Record<string, Reach>;
  /** Screens with other pages than their module. */
  screens?: Record<string, Reach>;
  /** Has only the screens named, not the others of its modules, or of these modules. */
  only?: true | string[];
  actions: string[];
  scope: DataScope;
  /** Screens with a wider row scope: lists to choose from, destinations of work. */
  scopes?: Record<string, DataScope>;
  landing?: string;
  /** Fields that it hides. */
  fields?: FieldRight[];
}
