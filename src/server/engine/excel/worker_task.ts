import { productScreen } from '../../../descriptor/overlay.ts';
import { sightCondition, sightNames, sightOf } from '../../../descriptor/visible.ts';
import type { Place } from '../../../descriptor/place.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { DataScope, Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { openPool } from '../../db/pool.ts';
import type { Database } from '../../db/database.ts';
import type { Subscription } from '../events/domain_events.ts';
import type { PackedScreens } from './packed_screens.ts';
import { yieldBackend } from './priority.ts';
import type { ColumnChoice } from './sheet_columns.ts';

/** The server, as seen from a task in another process. */
export interface ServerLink {
  post(message: unknown): void;
  /** The next message, including one that arrived before it was awaited. */
  heard(): Promise<unknown>;
}

/** The data sent to a worker process: plain data only, because functions of a session cannot be transferred. */
export interface WorkerTask {
  kind: 'import' | 'export';
  runId: number;
  type: string;
  /** null = those of the previous task of the process. */
  screens: PackedScreens | null;
  databaseUrl: string;
  dataDir: string;
  tenant: Omit<Tenant, 'db'>;
  person: {
    sid: string;
    userId: number;
    userName: string;
    employeeId: number | null;
    entityId: number | null;
    entityIds: number[];
    branchIds: number[];
    place: Place;
    isAdmin: boolean;
    scopes: Record<string, DataScope>;
    /** Action codes that fields require (`x-visible`) and the person lacks. */
    lacks: string[];
  };
  import?: {
    path: string;
    name: string;
    fileId: number;
    mode: 'all_or_nothing' | 'good_rows';
    maxRows: number;
    commit: boolean;
    columns: ColumnWish;
    follows: AfterImport;
  };
  export?: { query: Record<string, string>; columns: string[] | undefined; maxRows: number; fileName: string };
}

/** Which sheet of a file an import reads, and the column choices. */
export interface ColumnWish {
  sheet?: string | undefined;
  choices: ColumnChoice[];
  /** The choices are from an earlier file: headings missing in this one are not an error. */
  remembered?: boolean;
  /** When the person is asked about the columns before they are checked. */
  ask: 'always' | 'when_open' | 'never';
}

/** The subscriptions to the imported records. */
export interface AfterImport {
  /** The module of the type processes each stored record. */
  module: boolean;
  subscriptions: Subscription[];
}

/** A row that would be written, with the record it changes; the server runs the type's own checks on it. */
export interface RowToCheck {
  id: number | null;
  record: Record<string, unknown>;
  /** The fields changed by the sheet. */
  changed: string[];
}

export interface CheckedRow {
  errors: FieldError[];
  /** Values computed from the others. */
  fill: Record<string, unknown>;
}

/** The serialisable part of a session, for a worker. Rights were checked before the task was accepted. */
export function personOf(session: Session, screens: Iterable<Screen>): WorkerTask['person'] {
  const scopes: Record<string, DataScope> = {};
  const lacks = new Set<string>();
  for (const screen of screens) {
    scopes[screen.name] = session.rights.dataScope(screen);
    for (const text of sightOf(productScreen(screen)).values())
      for (const code of sightNames(sightCondition(text)).actions)
        if (session.rights.refuseAction(code) !== null) lacks.add(code);
    for (const { action } of screen.personal?.shared ?? [])
      if (action !== undefined && session.rights.refuseAction(action) !== null) lacks.add(action);
  }
  const { sid, userId, userName, employeeId, entityId, entityIds, branchIds } = session;
  const place = placeOf(session);
  return {
    place,
    sid,
    userId,
    userName,
    employeeId,
    entityId,
    entityIds,
    branchIds,
    isAdmin: session.rights.isAdmin,
    scopes,
    lacks: [...lacks],
  };
}

/** The same person in the worker, with a small connection pool of its own. */
export function sessionOf(task: WorkerTask): { session: Session; db: Database } {
  const db = openPool({
    name: 'worker',
    url: task.databaseUrl,
    size: 3,
    onConnect: (pid) => yieldBackend(task.databaseUrl, pid),
  }).of(task.tenant.schema);
  const { scopes, lacks, isAdmin, ...person } = task.person;
  return {
    db,
    session: {
      ...person,
      tenant: { ...task.tenant, db },
      rights: {
        isAdmin,
        version: 0,
        refuse: () => null,
        refuseAction: (code) =>
          code !== null && lacks.includes(code) ? { reason: 'action', message: 'You may not see this.' } : null,
        dataScope: (screen) => scopes[screen.name] ?? 'company',
      },
    },
  };
}
