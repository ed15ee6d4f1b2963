import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { Session } from '../context.ts';

type Row = Record<string, unknown>;

/** What changes of people do to records. The engine does it; it is handed in by the parts above. */
export interface PeopleRecords {
  /** One act in one transaction; `work` is given the session whose statements are part of it. */
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
