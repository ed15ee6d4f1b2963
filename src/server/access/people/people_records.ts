import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { Session } from '../context.ts';

type Row = Record<string, unknown>;

/** The record operations needed for changes of people. The engine implements them; they are injected. */
export interface PeopleRecords {
  /** One action in one transaction; `work` receives the session for its statements. */
  transaction<T>(actor: Session, work: (unit: { session: Session }) => Promise<T>): Promise<T>;
  read(session: Session, screen: Screen, id: number): Promise<WireRecord>;
  create(session: Session, screen: Screen, input: Row): Promise<WireRecord>;
  update(session: Session, screen: Screen, id: number, input: Row, what?: string): Promise<WireRecord>;
  updateMany(
    tx: Queryable,
    session: Session,
    screen: Screen,
    changes: { id: number; set: Row }[],
    what: string,
  ): Promise<void>;
}
