import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import type { Touched, WebhookTypes } from '../../services/live/webhook_events.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { UnitOfWork } from '../records/unit_of_work.ts';
import { unitOf } from '../records/unit_of_work.ts';

/** Collects the webhook calls for written records: sent once per transaction, at its end and within it. */
export class WebhookCalls {
  readonly #types: WebhookTypes;
  readonly #touched = new WeakMap<UnitOfWork, Map<string, Touched>>();

  constructor(types: WebhookTypes) {
    this.#types = types;
  }

  /** A record was written in the session's transaction. Outside of a transaction no webhook exists for its type. */
  changed(session: Session, type: string, id: number): void {
    const unit = unitOf(session);
    if (!unit) return;
    let touched = this.#touched.get(unit);
    if (!touched) {
      touched = new Map();
      this.#touched.set(unit, touched);
      const all = touched;
      unit.beforeCommit(() => this.#queue(unit.session, [...all.values()]));
    }
    touched.set(`${type} ${id}`, [type, id]);
  }

  /** Records of a type were written in a transaction that may not be a unit of work. */
  async written(tx: Queryable, session: Session, type: string, ids: readonly number[]): Promise<void> {
    if (!(await this.#types.has(session.tenant, type))) return;
    if (unitOf(session)) for (const id of ids) this.changed(session, type, id);
    else
      await queueWebhooks(
        tx,
        session.tenant.schema,
        ids.map((id) => [type, id]),
      );
  }

  async #queue({ tenant }: Session, touched: Touched[]): Promise<void> {
    const asked: Touched[] = [];
    for (const one of touched) if (await this.#types.has(tenant, one[0])) asked.push(one);
    await queueWebhooks(tenant.db, tenant.schema, asked);
  }
}
