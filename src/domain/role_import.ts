export type RoleImportMode = 'merge' | 'replace';

/** What an import would do, or did, to one role. */
export interface RoleImport {
  code: string;
  role_name: string;
  is_new: boolean;
  /** Ticks, modules and actions that come and go, in words: `SCN_BRANCH view_screen`. */
  added: string[];
  removed: string[];
  /** Screens, modules and actions that this product does not have: left out. */
  unknown: string[];
  warnings: string[];
  users_affected: number;
}
