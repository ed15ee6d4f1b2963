import type { Queryable } from './database.ts';
import { quoted } from './names.ts';

/** The messages between the processes of one installation. `schema` names the tenant. */
export type BusMessage =
  | { kind: 'session'; schema: string; sid: string }
  | { kind: 'rights'; schema: string }
  | { kind: 'client' }
  | { kind: 'screens'; names: string[] }
  /** Settings of a client have changed. */
  | { kind: 'settings'; schema: string }
  /** The outbox has new messages. */
  | { kind: 'outbox'; schema: string }
  /** There are events for subscribers. */
  | { kind: 'event'; schema: string }
  /** There are calls for webhooks. */
  | { kind: 'webhook'; schema: string }
  /** These users have new notifications, or have read some elsewhere. */
  | { kind: 'notification'; schema: string; users: number[] }
  | { kind: 'job' }
  | {
      kind: 'records';
      schema: string;
      from: string;
      changes: [type: string, id: number, op: string, entity: number | null][];
    };

export const CHANNEL = 'mainstay';

/** Publishes to every process, including this one; inside a transaction only on commit. */
export async function announce(on: Queryable, message: BusMessage): Promise<void> {
  await on.query({
    text: 'select pg_notify($1, $2)',
    values: [CHANNEL, JSON.stringify(message)],
    name: 'bus_tell',
  });
}

/**
 * The rights of a schema's people have changed, so that every process reloads them. Code that writes users, roles,
 * their rights, companies or delegations outside the engine must call this in the same transaction.
 */
export async function announceRights(on: Queryable, schema: string): Promise<void> {
  const message: BusMessage = { kind: 'rights', schema };
  // The platform's own people have no version for browsers to compare.
  if (schema === 'public') return announce(on, message);
  await on.query(
    `with v as (update ${quoted(schema)}.rights_version set version = version + 1) select pg_notify($1, $2)`,
    [CHANNEL, JSON.stringify(message)],
  );
}
