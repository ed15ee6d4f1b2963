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

/** The server, as a task in another process reaches it. */
export interface ServerLink {
  post(message: unknown): void;
  /** What it says next, or said and nobody asked for yet. */
  heard(): Promise<unknown>;
}

/** What a worker process receives: plain data only, since a session's functions cannot cross over. */
export interface WorkerTask {
  kind: 'import' | 'export';
  runId: number;
  type: string;
  /** null = those of the task that the process did before. */
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
    /** Action codes that fields ask for (`x-visible`) and the person does not have. */
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

/** Which sheet of a file an import reads, and what its columns bring. */
export interface ColumnWish {
  sheet?: string | undefined;
  choices: ColumnChoice[];
  /** The choices are of an earlier file: headings that this one does not have are no fault. */
  remembered?: boolean;
  /** When the person is asked about the columns before they are checked. */
  ask: 'always' | 'when_open' | 'never';
}

/** What others make of the records of an import. */
export interface AfterImport {
  /** The type's own module does something when one is stored. */
  module: boolean;
  subscriptions: Subscription[];
}

/** A row that would be written, with the record it changes; the server has the type's own checks look at it. */
export interface RowToCheck {
  id: number | null;
  record: Record<string, unknown>;
  /** Fields that the sheet changes of it. */
  changed: string[];
}

export interface CheckedRow {
  errors: FieldError[];
  /** Values that follow from the others. */
  fill: Record<string, unknown>;
}

/** The plain part of a session, for a worker. Rights were checked before the work was accepted. */
export function personOf(session: Session, screens: Iterable<Screen>): WorkerTask['person'] {
  const scopes: Record<string, DataScope> = {};
  const lacks = new Set<string>();
  for (const screen of screens) {
    scopes[screen.name] = session.rights.dataScope(screen);
    for (const text of sightOf(productScreen(screen)).values())
      for (const code of sightNames(sightCondition(text)).actions)
        if (session.rights.refuseAction(code) !== null) lacks.add(code);
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

/** The same person inside the worker, on a small pool of the worker's own. */
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
