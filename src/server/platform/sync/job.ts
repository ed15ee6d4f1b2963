import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';

/** A record of `sync_job` as runs need it. */
export interface SyncJob {
  id: number;
  version: number;
  active: boolean;
  code: string;
  title: string;
  family: string;
  source_id: number;
  query: string | null;
  /** For a folder: the file name pattern, e.g. stock_*.csv. */
  file_pattern: string | null;
  target: 'list' | 'collection';
  target_type: string | null;
  collection_id: number | null;
  company_id: number | null;
  mode: 'full' | 'incremental' | 'append';
  cursor_column: string | null;
  cursor_value: string | null;
  overlap_minutes: number | null;
  natural_key: string[];
  mapping: Mapping[];
  on_missing: 'keep' | 'deactivate' | null;
  delete_guard_percent: string | null;
  reject_limit_percent: string | null;
  on_schema_change: 'stop' | 'ignore_new' | null;
  scheduled: boolean | null;
  schedule: string | null;
  notify: number[] | null;
  source_columns: { name: string; type: string }[] | null;
}

export interface Mapping {
  source_column: string;
  target_field: string;
  transform: string | null;
  default_value: string | null;
  required: boolean | null;
}

/** The results of a run. */
export interface Counts {
  read: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
  deactivated: number;
}

export interface Difference {
  op: 'insert' | 'update' | 'deactivate';
  key: string;
  detail: string;
}

/** A source row mapped to the target, or the reason why it is invalid. */
export type Mapped = {
  row: number;
  key: string;
  cells: Record<string, unknown>;
  record: Record<string, unknown>;
  errors: string[];
};

/** The maximum number of differences shown by a dry run. */
export const SHOWN = 50;

/**
 * Whether records of the type may come from a source: types that define rights, connections or financial rules of the
 * platform may not.
 */
export function mayReceive(screen: Screen): boolean {
  return (
    screen.scope !== 'platform' &&
    !['platform', 'admin'].includes(screen.folder) &&
    screen.kind !== 'settings' &&
    screen.overlay === undefined &&
    screen.name !== 'entity'
  );
}

/**
 * The session in which a job writes: for the person who started it, in the job's company. Permissions were checked when
 * the job was saved.
 */
export function writingSession(tenant: Tenant, userId: number, companyId: number | null, companies: number[]): Session {
  return {
    sid: '',
    tenant,
    userId,
    userName: '',
    employeeId: null,
    entityId: companyId,
    entityIds: companies,
    branchIds: [],
    rights: { isAdmin: true, version: 0, refuse: () => null, refuseAction: () => null, dataScope: () => 'company' },
    origin: 'import',
  };
}
