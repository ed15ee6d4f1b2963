export type RoleImportMode = 'merge' | 'replace';

/** The effect of an import on one role, planned or done. */
export interface RoleImport {
  code: string;
  role_name: string;
  is_new: boolean;
  /** Added and removed ticks, modules and actions, as text: `SCN_BRANCH view_screen`. */
  added: string[];
  removed: string[];
  /** Screens, modules and actions unknown to this product: left out. */
  unknown: string[];
  warnings: string[];
  users_affected: number;
}
