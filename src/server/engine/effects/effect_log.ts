import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** A result of an effect that can be undone. */
export interface LoggedEffect {
  id: number;
  effect: string;
  args: Record<string, unknown>;
  result: unknown;
}

/** Logs the result of an effect, in its transaction. `logId`: the entry of its transition in the transition log. */
export async function logEffect(
  { tenant }: Session,
  entry: {
    logId: number | null;
    type: string;
    id: number;
    transition: string;
    place: number;
    effect: string;
    args: Record<string, unknown>;
    result: unknown;
  },
): Promise<void> {
  const { logId, type, id, transition, place, effect, args, result } = entry;
  await tenant.db.query(
    preparedStatement(
      `insert into ${quoted(tenant.schema)}.effect_log (log_id, record_type, record_id, transition, place, effect, args, result)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb)`,
      [logId, type, id, transition, place, effect, JSON.stringify(args), JSON.stringify(result ?? null)],
    ),
  );
}

/** The results of a record's transitions that have not been undone, last first. */
export async function effectsToUndo(
  { tenant }: Session,
  type: string,
  id: number,
  transitions: readonly string[],
): Promise<LoggedEffect[]> {
  return tenant.db.query<LoggedEffect>(
    preparedStatement(
      `select id, effect, args, result from ${quoted(tenant.schema)}.effect_log
       where record_type = $1 and record_id = $2 and transition = any($3::text[]) and undone_by is null order by id desc`,
      [type, id, transitions],
    ),
  );
}

/** Marks an effect as undone, with the transition log entry that undid it. */
export async function markUndone({ tenant }: Session, id: number, logId: number): Promise<void> {
  await tenant.db.query(
    preparedStatement(`update ${quoted(tenant.schema)}.effect_log set undone_by = $2 where id = $1`, [id, logId]),
  );
}
