import type { Queryable } from './database.ts';
import { quoted } from './names.ts';

/** What the processes of one installation tell each other. `schema` names the tenant. */
export type BusMessage =
  | { kind: 'session'; schema: string; sid: string }
  | { kind: 'rights'; schema: string }
  | { kind: 'client' }
  | { kind: 'screens'; names: string[] }
  /** Settings of a client are other than before. */
  | { kind: 'settings'; schema: string }
  /** Something waits to be sent. */
  | { kind: 'outbox'; schema: string }
  /** Something happened that somebody subscribes to. */
  | { kind: 'event'; schema: string }
  /** Something happened that a webhook is called for. */
  | { kind: 'webhook'; schema: string }
  /** These users have something new, or have read something elsewhere. */
  | { kind: 'notification'; schema: string; users: number[] }
  | { kind: 'job' }
  | {
      kind: 'records';
      schema: string;
      from: string;
      changes: [type: string, id: number, op: string, entity: number | null][];
    };

export const CHANNEL = 'mainstay';

/** Tells every process, this one too; inside a transaction: when it commits, and only then. */
export async function announce(on: Queryable, message: BusMessage): Promise<void> {
  await on.query({
    text: 'select pg_notify($1, $2)',
    values: [CHANNEL, JSON.stringify(message)],
    name: 'bus_tell',
  });
}

/**
 * What people of a schema may do is other than before, so that every process reads it again. Whoever writes users, roles,
 * their rights, companies or delegations past the engine says it, in the same transaction.
 */
export async function announceRights(on: Queryable, schema: string): Promise<void> {
  const message: BusMessage = { kind: 'rights', schema };
  // The platform's own people have no version that browsers compare.
  if (schema === 'public') return announce(on, message);
  await on.query(
    `with v as (update ${quoted(schema)}.rights_version set version = version + 1) select pg_notify($1, $2)`,
    [CHANNEL, JSON.stringify(message)],
  );
}
