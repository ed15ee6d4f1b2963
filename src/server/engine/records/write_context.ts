import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ActsFor, Session } from '../../access/context.ts';
import type { Vault } from '../../db/vault.ts';
import type { Hooks } from './hooks.ts';
import type { MayOpenFile } from './named_files.ts';
import type { Decision, RecordAudit } from './record_change.ts';

type Row = Record<string, unknown>;

/** Writes records of a part as those of any type, in the unit of their parent. */
export interface PartWriter {
  create(session: Session, screen: Screen, input: Row): Promise<WireRecord>;
  update(session: Session, screen: Screen, id: number, input: Row): Promise<WireRecord>;
  remove(session: Session, screen: Screen, id: number): Promise<void>;
}

/** Who writes a record of which type, and what goes with it. */
export interface WriteContext {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
  hooks: Hooks;
  vault: Vault | undefined;
  /** What made the change, for the history: form, bulk, "import 5", api. */
  what: string;
  /** A transition of the type's workflow: it alone changes the state; with what it decides. */
  step?: { decision: Decision | null };
  /** On whose behalf alone, as their deputy: those who could have it done. */
  delegators?: () => Promise<readonly ActsFor[]>;
  /** Fills in what functions of modules fill in; absent where the type has none. */
  fill?: ((record: Row, stored: WireRecord | null) => Promise<Row>) | undefined;
  /** Called after a record was changed: what of it, and whether that decided something. */
  wrote?: (id: number, change: Row, decision: Decision | null) => void;
  /** Whether a person may open a file: a record names no others. */
  mayOpenFile: MayOpenFile;
  /** Writes the rows that are records of their own. */
  parts?: PartWriter;
  /** Nobody looks at all child rows of the record: those that the change does not write are neither read whole nor answered. */
  rows?: 'changed';
  /** Rows of this field alone are saved, apart from their record: its version and what is wrong elsewhere in it stay. */
  cells?: string;
  /** What the activity log keeps. */
  audit: RecordAudit | undefined;
}
