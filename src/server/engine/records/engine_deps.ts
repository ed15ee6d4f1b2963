import type { RecordEvent, RecordAudit, RecordChange } from './record_change.ts';
import type { HoursOf } from '../clocks/record_clocks.ts';
import { DomainEvents } from '../events/domain_events.ts';
import { WebhookTypes } from '../../services/live/webhook_events.ts';
import type { Approvals } from '../approval/approvals.ts';
import { NamedFunctions } from '../modules.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Vault } from '../../db/vault.ts';
import { noHooks } from './hooks.ts';
import type { Hooks } from './hooks.ts';
import type { MayOpenFile } from './named_files.ts';

/** The dependencies of the engine. */
export interface EngineDeps {
  /** The screens of this session's client. */
  screens: (session: Session) => Map<string, Screen>;
  hooks?: Hooks;
  /** Needed by types with encrypted fields. */
  vault?: Vault;
  /** Whether people of the session's company may approve their own requests; default no. */
  ownWork?: (session: Session) => Promise<boolean>;
  /** Guards, effects and fills of the modules. */
  functions?: NamedFunctions;
  /** The working hours of a place; default: always. */
  hours?: HoursOf;
  /** The current time for clocks and the transition log; default: from the database. */
  now?: () => Date;
  /** The event subscriptions. */
  events?: DomainEvents;
  /** The webhooks of clients. */
  webhooks?: WebhookTypes;
  notifications?: Notifications;
  /** Address of the public page of a record; default: none. */
  publicLink?: (session: Session, screen: Screen, id: number, of?: string) => Promise<string>;
  /** A session of a person without a sign-in, in the company of the given session. */
  personSession?: (session: Session, userId: number) => Promise<Session | null>;
  /** The approvers; default: only rights decide. */
  approvals?: Approvals;
  /** Whether a person has a role, by code. */
  holdsRole?: (session: Session, code: string) => Promise<boolean>;
  /** Whether a person may open a file, by id; default: nobody may. */
  mayOpenFile?: MayOpenFile;
  onChange?: (tenant: Tenant, change: RecordChange) => void;
  /** What the activity log records. */
  audit?: RecordAudit;
  /** Called for every record that is added, changed or removed individually; not for imports. */
  onRecordEvent?: (session: Session, screen: Screen, event: RecordEvent) => void;
}

/** The same, with defaults for missing dependencies. */
export type EngineServices = ReturnType<typeof withDefaults>;

export function withDefaults({
  screens,
  hooks = noHooks,
  vault,
  ownWork = () => Promise.resolve(false),
  mayOpenFile = () => Promise.resolve(false),
  functions = new NamedFunctions([]),
  hours = () => Promise.resolve({ timezone: null, roundTheClock: true, hours: [], off: () => 'none' as const }),
  now,
  events = new DomainEvents([]),
  webhooks = new WebhookTypes(),
  notifications,
  publicLink = () => Promise.reject(new Error('There are no public pages here.')),
  personSession = () => Promise.resolve(null),
  approvals,
  holdsRole = () => Promise.resolve(false),
  audit,
  onChange = () => undefined,
  onRecordEvent = () => undefined,
}: EngineDeps) {
  return {
    screens,
    hooks,
    vault,
    ownWork,
    mayOpenFile,
    functions,
    hours,
    now,
    events,
    webhooks,
    notifications,
    publicLink,
    personSession,
    approvals,
    holdsRole,
    audit,
    onChange,
    onRecordEvent,
  };
}
