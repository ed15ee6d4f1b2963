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

/** What the engine is handed when the parts of the server are put together. */
export interface EngineDeps {
  /** The screens as this session's client has them. */
  screens: (session: Session) => Map<string, Screen>;
  hooks?: Hooks;
  /** Needed by types with encrypted fields. */
  vault?: Vault;
  /** Whether people of the session's company may approve what they asked for themselves; default no. */
  ownWork?: (session: Session) => Promise<boolean>;
  /** Guards, effects and fills of the modules. */
  functions?: NamedFunctions;
  /** When a place works; default: always. */
  hours?: HoursOf;
  /** When it is for clocks and the log of transitions; default: by the database. */
  now?: () => Date;
  /** Who subscribes to what happens. */
  events?: DomainEvents;
  /** What webhooks of clients ask for. */
  webhooks?: WebhookTypes;
  notifications?: Notifications;
  /** Address of the public page of a record; default: there is none. */
  publicLink?: (session: Session, screen: Screen, id: number) => Promise<string>;
  /** The session of a person without a sign-in, in the company of the session that is given. */
  personSession?: (session: Session, userId: number) => Promise<Session | null>;
  /** Who approves what; default: rights alone decide. */
  approvals?: Approvals;
  /** Whether a person has a role, by its code. */
  holdsRole?: (session: Session, code: string) => Promise<boolean>;
  /** Whether a person may open a file, by its number; default: nobody may. */
  mayOpenFile?: MayOpenFile;
  onChange?: (tenant: Tenant, change: RecordChange) => void;
  /** What the activity log keeps of what is done to records. */
  audit?: RecordAudit;
  /** Called with every record that somebody adds, changes or removes by itself; not of imports. */
  onRecordEvent?: (session: Session, screen: Screen, event: RecordEvent) => void;
}

/** The same, with what holds where something is not handed in. */
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
