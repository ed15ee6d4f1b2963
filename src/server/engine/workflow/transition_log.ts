import type { Session } from '../../access/context.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { unitOf } from '../records/unit_of_work.ts';

/** One transition that was taken. */
export interface Taken {
  transition: string;
  from: string;
  to: string;
  at: string;
  by: string | null;
}

/** Logs a transition, in its transaction. @returns its number in the log */
export async function logTransition(
  { tenant, userId }: Session,
  entry: {
    type: string;
    id: number;
    transition: string;
    from: string;
    to: string;
    forId: number | null;
    cause: string | undefined;
    asked: Record<string, unknown>;
    remark: string | null;
    /** The clocks that run from now on; absent if the type has none. */
    running?: string[];
    /** When; default: now, from the database. */
    at?: Date | undefined;
    /** The reason that was chosen. */
    reasonId?: number | null;
  },
): Promise<number> {
  const [row] = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `insert into ${quoted(tenant.schema)}.transition_log (record_type, record_id, transition, from_state, to_state, by, for_id, cause, asked, remark, running, at, reason_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11::text[], coalesce($12::timestamptz, now()), $13) returning id`,
      [
        entry.type,
        entry.id,
        entry.transition,
        entry.from,
        entry.to,
        userId,
        entry.forId,
        entry.cause ?? null,
        JSON.stringify(entry.asked),
        entry.remark,
        entry.running ?? null,
        entry.at?.toISOString() ?? null,
        entry.reasonId ?? null,
      ],
    ),
  );
  return row!.id;
}

/** Logs one transition of many records, in their transaction; `from`: the state that each was in. */
export async function logTransitions(
  { tenant, userId }: Session,
  of: readonly { id: number; from: string; to: string }[],
  entry: {
    type: string;
    transition: string;
    cause: string | undefined;
    asked: Record<string, unknown>;
    remark: string | null;
    at?: Date | undefined;
    reasonId: number | null;
  },
): Promise<void> {
  await tenant.db.query(
    preparedStatement(
      `insert into ${quoted(tenant.schema)}.transition_log (record_type, record_id, transition, from_state, to_state, by, cause, asked, remark, at, reason_id)
       select $1, x.id, $2, x."from", x."to", $3, $4, $5::jsonb, $6, coalesce($7::timestamptz, now()), $8::bigint
       from jsonb_to_recordset($9::jsonb) x(id bigint, "from" text, "to" text) order by x.id`,
      [
        entry.type,
        entry.transition,
        userId,
        entry.cause ?? null,
        JSON.stringify(entry.asked),
        entry.remark,
        entry.at?.toISOString() ?? null,
        entry.reasonId,
        JSON.stringify(of),
      ],
    ),
  );
}

/**
 * When an offline action took its transition: by the device's time, after the previous transition. Null: it is done
 * now.
 */
export async function doneOnDevice(session: Session, type: string, id: number): Promise<Date | null> {
  const at = unitOf(session)?.at;
  if (!at) return null;
  const { schema, db } = session.tenant;
  const [row] = await db.query<{ at: string }>(
    `select greatest($3::timestamptz, max(at)) as at from ${quoted(schema)}.transition_log where record_type = $1 and record_id = $2`,
    [type, id, at.toISOString()],
  );
  return new Date(row!.at);
}

/** The time of a record's last change of state, or null. */
export async function lastTaken({ tenant }: Session, type: string, id: number): Promise<Taken | null> {
  const [row] = await tenant.db.query<Taken>(
    preparedStatement(
      `select l.transition, l.from_state as "from", l.to_state as "to", l.at, u.name as by
       from ${quoted(tenant.schema)}.transition_log l left join ${peopleTable(tenant.schema)} u on u.id = l.by
       where l.record_type = $1 and l.record_id = $2 and l.from_state <> l.to_state order by l.id desc limit 1`,
      [type, id],
    ),
  );
  return row ?? null;
}
