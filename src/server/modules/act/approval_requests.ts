import { formatAmount, formatDate } from '../../../descriptor/format.ts';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Need } from '../../../domain/approval_levels.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { Verdict } from '../../engine/approval/approvals.ts';
import { elevated } from '../../engine/records/elevated.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { runsToday } from '../../access/people/delegations.ts';
import type { Band } from './approval_bands.ts';
import { logBand, sendMessage } from './approval_bands.ts';

type Row = Record<string, unknown>;

/** One person of one level of a request. */
export interface Step extends Row {
  id?: number;
  level: number;
  approver_id: number;
  state: 'later' | 'waiting' | Verdict | 'not_needed';
  why: string | null;
  need: Need;
  need_n: number | null;
  /** Additional approvers after the time limit: they may agree, but the required number does not grow. */
  added: boolean | null;
}

/** The type of the requests for approval. */
export const REQUEST = 'approval_request';
/** The fields of a request that change while it is open. */
const FIELDS = [
  'state',
  'current_level',
  'waiting_for_ids',
  'decided_by_ids',
  'steps',
  'digest',
  'began_again',
  'changes',
  'waits_since',
  'remind_at',
  'due_at',
  'escalated_at',
  'remark_when',
  'may_change',
  'band_at',
  'bands_done',
  'amount',
  'currency',
];
const OF_NEW = [
  'subject',
  'transaction_type',
  'record_id',
  'address',
  'asked_by_id',
  'on_behalf_of_id',
  'asked_at',
  'branch_id',
  'process_id',
  'record_version',
];

export interface ApprovalDeps {
  engine: () => Engine;
  screens(session: Session): ReadonlyMap<string, Screen>;
  notifications: Notifications;
}

/** The placeholders of the messages that bands send. */
export const REQUEST_WORDS = ['record', 'subject', 'company', 'level', 'asked_by', 'amount', 'link'] as const;

/** Stores approval requests, and sends their notices. */
export class ApprovalRequests {
  readonly #deps: ApprovalDeps;

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
  }

  /** The type of the requests, if the client has it. */
  screen(session: Session): Screen | undefined {
    return this.#deps.screens(session).get(REQUEST);
  }

  async isThere({ tenant: { db, schema } }: Pick<Session, 'tenant'>): Promise<boolean> {
    const [row] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      tableName(schema, REQUEST),
    ]);
    return row?.there === true;
  }

  read(session: Session, id: number): Promise<WireRecord> {
    return this.#deps.engine().read(elevated(session), this.screen(session)!, id);
  }

  async create(session: Session, record: Row): Promise<WireRecord> {
    const screen = this.screen(session)!;
    const opened = openedFields(screen, [...OF_NEW, ...FIELDS, ...stepColumns(screen)]);
    const made = await this.#deps.engine().create(elevated(session), opened, record, 'action');
    await this.#nameApprovers(session, made);
    return made;
  }

  /** Keeps in the document who is asked and who has decided, if its type has a field for them. */
  async #nameApprovers(session: Session, { transaction_type: type, record_id: id }: WireRecord): Promise<void> {
    const screen = this.#deps.screens(session).get(String(type));
    const field = screen?.approval?.approvers;
    if (field === undefined) return;
    const { db, schema } = session.tenant;
    await db.query(
      `update ${tableName(schema, screen!.name)} t set ${quoted(field)} = array(
         select distinct p.id from ${tableName(schema, REQUEST)} r cross join unnest(coalesce(r.waiting_for_ids, '{}') || coalesce(r.decided_by_ids, '{}')) p(id)
         where r.transaction_type = $1 and r.record_id = t.id order by 1) where t.id = $2`,
      [type, id],
    );
  }

  async write(session: Session, id: number, set: Row): Promise<void> {
    const stored = await this.read(session, id);
    const screen = this.screen(session)!;
    const opened = openedFields(screen, [...FIELDS, ...stepColumns(screen)]);
    await this.#deps.engine().update(elevated(session), opened, id, { ...set, version: stored.version }, 'action');
    if ('waiting_for_ids' in set || 'decided_by_ids' in set) await this.#nameApprovers(session, stored);
  }

  /** Sends the message that a band of a slab names, and records which people the band notified. */
  async reachBand(
    session: Session,
    record: WireRecord,
    band: Band,
    place: number,
    users: readonly number[],
  ): Promise<void> {
    const names = band.esclation_id === null ? [] : await this.#sendMessage(session, record, band);
    await logBand(session, record, REQUEST, band, place, { users, names });
  }

  #sendMessage(session: Session, record: WireRecord, band: Band): Promise<string[]> {
    const amount = this.screen(session)!.fields.find(({ name }) => name === 'amount');
    return sendMessage(this.#deps.notifications, session, record, band, {
      record: String(record.subject),
      subject: String(record.subject),
      company: session.tenant.name,
      level: String(record.current_level),
      asked_by: String(record.asked_by_id__label ?? ''),
      amount: typeof record.amount === 'string' ? formatAmount(amount, record.amount, record) : '',
      link: `/approval/view/${record.id}`,
    } satisfies Record<(typeof REQUEST_WORDS)[number], string>);
  }

  /** Notifies people about a request, including the deputies of the approvers. */
  async notify(
    session: Session,
    event: 'approval.assigned' | 'approval.reminder' | 'approval.escalated' | 'approval.decided',
    to: number[],
    record: WireRecord,
    more: Record<string, string> = {},
  ): Promise<void> {
    const { tenant } = session;
    const isDecided = event === 'approval.decided';
    const deputies = isDecided ? [] : await deputiesOf(session, to, record);
    const requesters = isDecided ? [] : [record.asked_by_id, record.on_behalf_of_id];
    const asked = Date.parse(String(record.asked_at));
    await this.#deps.notifications.notify(tenant.db, tenant, {
      event,
      to: [...new Set([...to, ...deputies])].filter((id) => id !== session.userId && !requesters.includes(id)),
      entityId: session.entityId,
      link: `/approval/view/${record.id}`,
      record: { type: REQUEST, id: record.id },
      values: {
        list: 'Approvals',
        record: String(record.subject),
        state: String(record.state),
        actor: session.userName === '' ? String(record.asked_by_id__label ?? '') : session.userName,
        date: Number.isNaN(asked) ? '' : formatDate(dayIn(zoneOfRequest(session, record), asked)),
        for: '',
        ...more,
      },
      ...(event === 'approval.assigned' && { groupKey: 'approval' }),
    });
  }
}

/** The time zone of a request's subject: of its branch, otherwise of the company. */
export function zoneOfRequest(session: Session, { branch_id: branchId }: WireRecord): string | null {
  return zoneOf({ branchId, entityId: session.entityId }, placeOf(session).zones);
}

const stepColumns = (screen: Screen): string[] =>
  (screen.fields.find(({ name }) => name === 'steps')?.rows ?? []).map(({ name }) => `steps.${name}`);

/** The current deputies of the approvers, if the delegation covers the document and its amount. */
async function deputiesOf(session: Session, ids: number[], record: WireRecord): Promise<number[]> {
  const { entityId } = session;
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.delegation`,
  ]);
  if (!there?.there) return [];
  const { zones } = placeOf(session);
  const rows = await db.query<{ id: number }>(
    `select distinct t.id from ${s}.users g join ${s}.delegation d on d.from_employee_id = g.employee_id and d.entity_id = $2 and ${runsToday('$3')}
       join ${s}.users t on t.employee_id = d.to_employee_id and t.active and t.status = 'active'
     where g.id = any($1::bigint[]) and (d.scope = 'all' or $4 = any(d.transaction_types)) and ($5::numeric is null or d.amount_limit is null or d.amount_limit >= $5)`,
    [ids, entityId, zoneOf({ entityId }, zones), record.transaction_type, record.amount ?? null],
  );
  return rows.map(({ id }) => id);
}
