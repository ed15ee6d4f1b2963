import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { seesWholeCompany } from '../../access/rights/sight.ts';
import type { LiveSession, SessionStore } from '../../access/sessions/session_store.ts';
import { RULE_EVENT } from '../../services/live/webhook_events.ts';
import { BASE_EVENTS, eventsOf } from './event_names.ts';

/** The account whose rights a webhook has. */
export interface Owned {
  api_config_id: number;
  /** The assigned service account, or null. */
  service_user_id: number | null;
  /** Whoever saved it last. */
  owner_id: number | null;
}

/** The queued event. */
export interface Happening {
  event_id: string;
  /** Such as `employee.created`. */
  event: string;
  entityId: number | null;
  type: string;
  id: number;
}

/**
 * `show`: the owner may see the record, in this form. `hide`: the owner may not. `stop`: why nothing is sent any more.
 */
export type Sight = { show: WireRecord | null } | { hide: true } | { stop: string };

export interface WebhookSight {
  /** The part of an event that a webhook may send. @param whole whether the record itself is wanted */
  of(tenant: Tenant, owned: Owned, happening: Happening, whole: boolean): Promise<Sight>;
  /** Why a webhook cannot work at all, or null. */
  refusal(tenant: Tenant, owned: Owned): Promise<string | null>;
}

export interface WebhookSightDeps {
  store: Pick<SessionStore, 'ofPerson' | 'ofService'>;
  engine: Pick<Engine, 'read'>;
  /** The screens as a session has them: without the fields that are kept from it. */
  screensOf: (session: Session) => Promise<Map<string, Screen>>;
}

const HIDE: Sight = { hide: true };
const GONE =
  'The account whose rights it uses can no longer be used. Choose another service account, or save it as a person who may see these records.';

/**
 * Webhooks have the rights of their service account, or of the person who saved them last: never more than their lists
 * show.
 */
export function createWebhookSight({ store, engine, screensOf }: WebhookSightDeps): WebhookSight {
  async function inCompany(tenant: Tenant, owned: Owned, entityId: number | null): Promise<LiveSession | null> {
    const { service_user_id: service, owner_id: owner, api_config_id: config } = owned;
    if (service !== null) return store.ofService(tenant, service, `webhook/${config}/${service}`, entityId);
    return owner === null ? null : store.ofPerson(tenant, owner, `webhook/${config}/${owner}`, entityId);
  }
  const allows = (session: Session, screen: Screen) =>
    session.rights.refuse(screen, 'landing') === null || session.rights.refuse(screen, 'view_screen') === null;

  /** Whether the owner may open the type in any company. */
  async function anywhere(tenant: Tenant, owned: Owned, type: string, companies: number[]): Promise<boolean> {
    for (const company of companies) {
      const session = await inCompany(tenant, owned, company);
      const screen = session && (await screensOf(session)).get(type);
      if (session && screen && allows(session, screen)) return true;
    }
    return false;
  }

  /**
   * A deleted record cannot be checked any more: the event is sent if the owner sees all records, or received this one
   * before.
   */
  async function mayHearOfEnd(
    { tenant, ...session }: Session,
    screen: Screen,
    screens: Map<string, Screen>,
    owned: Owned,
    { event_id: event, id }: Happening,
  ): Promise<boolean> {
    if (seesWholeCompany({ ...session, tenant }, screen, screens)) return true;
    const [before] = await tenant.db.query(
      `select 1 from ${quoted(tenant.schema)}.api_delivery where api_config_id = $1 and event_id <> $2 and state = 'delivered'
         and body -> 'data' ->> 'type' = $3 and (body -> 'data' ->> 'id')::bigint = $4 limit 1`,
      [owned.api_config_id, event, screen.name, id],
    );
    return before !== undefined;
  }

  return {
    async refusal(tenant, owned) {
      return (await inCompany(tenant, owned, null)) === null ? GONE : null;
    },
    async of(tenant, owned, happening, whole) {
      const { event, entityId, type, id } = happening;
      const owner = await inCompany(tenant, owned, null);
      if (!owner) return { stop: GONE };
      const foreign = entityId !== null && !owner.entityIds.includes(entityId);
      const session = foreign || entityId === null ? owner : await inCompany(tenant, owned, entityId);
      if (!session) return { stop: GONE };
      const screens = await screensOf(session);
      const screen = screens.get(type);
      if (!screen || !allows(session, screen)) {
        if (await anywhere(tenant, owned, type, owner.entityIds)) return HIDE;
        return { stop: `The account whose rights it uses may no longer see ${screen?.plural ?? type}.` };
      }
      if (foreign) return HIDE;
      const word = event.slice(type.length + 1);
      // The name of a state is a value of a field, which may be hidden from the owner.
      if (word !== RULE_EVENT && !(BASE_EVENTS as readonly string[]).includes(word) && !eventsOf(screen).includes(word))
        return HIDE;
      if (word === 'deleted')
        return (await mayHearOfEnd(session, screen, screens, owned, happening)) ? { show: null } : HIDE;
      try {
        const record = await engine.read(session, screen, id);
        return { show: whole ? record : null };
      } catch (error) {
        // Deleted meanwhile: sent to owners who see all records; hidden from all others.
        if (error instanceof AppError && (error.status === 404 || error.status === 400))
          return seesWholeCompany(session, screen, screens) ? { show: null } : HIDE;
        throw error;
      }
    },
  };
}
