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

/** The person, the record type, and the dependencies of a write. */
export interface WriteContext {
  session: Session;
  screen: Screen;
  screens: Map<string, Screen>;
  hooks: Hooks;
  vault: Vault | undefined;
  /** The cause of the change, for the history: form, bulk, "import 5", api. */
  what: string;
  /** A transition of the type's workflow: only transitions change the state; with its decision. */
  step?: { decision: Decision | null };
  /** The delegators on whose behalf alone it is done. */
  delegators?: () => Promise<readonly ActsFor[]>;
  /** Runs the fills of modules; absent if the type has none. */
  fill?: ((record: Row, stored: WireRecord | null) => Promise<Row>) | undefined;
  /** Called after a record was changed: the changes, and whether they decided something. */
  wrote?: (id: number, change: Row, decision: Decision | null) => void;
  /** Whether a person may open a file: a record may refer only to such files. */
  mayOpenFile: MayOpenFile;
  /** Writes the rows that are records themselves. */
  parts?: PartWriter;
  /** No side effect reads all child rows of the record: unchanged ones are neither fully read nor returned. */
  rows?: 'changed';
  /**
   * Only rows of this field are saved, separately from their record: its version and its other errors are unaffected.
   */
  cells?: string;
  /** What the activity log records. */
  audit: RecordAudit | undefined;
}
