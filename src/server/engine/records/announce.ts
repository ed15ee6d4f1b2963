import { announceChange } from '../../services/live/announced_changes.ts';
import { WebhookCalls } from '../events/webhook_calls.ts';
import type { Automatic } from '../events/domain_events.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import type { CountMemory } from './count_memory.ts';
import type { EngineServices } from './engine_deps.ts';
import type { RecordChange, RecordEvent } from './record_change.ts';
import { afterCommit } from './unit_of_work.ts';

/** The announcement of a change of records. */
export interface Announcements {
  /** A domain event of the transaction, if the type has subscribers. */
  happened(session: Session, screen: Screen, what: Automatic, id: number, fields?: string[]): void;
  /** The same for many records written in one transaction. */
  ofMany(
    tx: Queryable,
    session: Session,
    screen: Screen,
    what: Automatic,
    ids: readonly number[],
    cause: string,
  ): Promise<void>;
  /** Notifies webhooks, open lists and forms, and cached counts; after the commit. */
  publish(session: Session, screen: Screen, id: number, op: RecordChange['op']): void;
  /** Notifies subscribers of single records; after the commit. */
  announce(session: Session, screen: Screen, what: RecordEvent): void;
}

export function announcements(
  { hooks, events, webhooks, onChange, onRecordEvent }: EngineServices,
  counts: CountMemory,
): Announcements {
  const webhookCalls = new WebhookCalls(webhooks);
  return {
    happened(session, { name }, what, id, fields) {
      if (events.watches(name)) events.ofRecord(session, name, what, id, fields);
    },
    async ofMany(tx, session, screen, what, ids, cause) {
      const follows = what !== 'removed' && (hooks.followsImports?.(screen) === true || screen.clocks !== undefined);
      await announceChange(tx, session.tenant.schema, screen);
      await webhookCalls.written(tx, session, screen.name, ids);
      await events.ofMany(tx, session, screen.name, what, ids, { cause, follows });
    },
    publish(session, screen, id, op) {
      webhookCalls.changed(session, screen.name, id);
      afterCommit(session, ({ tenant }) => {
        counts.forget(tenant.schema, screen.name);
        onChange(tenant, {
          type: screen.name,
          id,
          op,
          entityId: screen.scope === 'entity' ? session.entityId : null,
        });
      });
    },
    announce(session, screen, what) {
      afterCommit(session, (by) => onRecordEvent(by, screen, what));
    },
  };
}
