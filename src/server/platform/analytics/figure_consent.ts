import type { Database } from '../../db/database.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

export const CONSENT_TYPE = 'support_access';

interface Asked {
  state: string;
  created_at: string;
  ends_at: string | null;
  open: boolean;
}

export interface FigureConsent {
  /** `off`: nobody may; `always`: without asking; `ask`: only with consent. */
  rule: 'off' | 'ask' | 'always';
  access: 'open' | 'off' | 'ask' | 'asked' | 'refused';
  /** The newest request of this person for this dashboard. */
  given: Asked | undefined;
}

/**
 * Whether a client lets a platform user see the figures of a dashboard: by its configuration, or by an administrator's
 * consent. Its tables must exist.
 */
export async function figureConsent(tenant: Tenant, userId: number, dashboard: string): Promise<FigureConsent> {
  const { support_access: rule } = await clientSettings(tenant);
  const [given] = await tenant.db.query<Asked>(
    `select state, created_at, ends_at, state = 'agreed' and ends_at > now() as open from ${tableName(tenant.schema, CONSENT_TYPE)}
     where platform_user_id = $1 and purpose = $2 and active order by id desc limit 1`,
    [userId, dashboard],
  );
  const open = rule === 'always' || (rule === 'ask' && given?.open === true);
  return {
    rule,
    given,
    access: open
      ? 'open'
      : rule === 'off'
        ? 'off'
        : given?.state === 'asked' || given?.state === 'refused'
          ? given.state
          : 'ask',
  };
}

/** The effect of each answer of a client's administrator to a request, and of withdrawing consent. */
const ANSWERS = {
  agree: { from: 'asked', to: 'agreed' },
  refuse: { from: 'asked', to: 'refused' },
  end: { from: 'agreed', to: 'ended' },
} as const;
export const ANSWER_WORDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

/** The new state of a request after an answer. @throws AppError 409 if that is no longer possible */
export function answered(
  word: keyof typeof ANSWERS,
  request: Readonly<Record<string, unknown>>,
): { state: string; ends_at: string | null } {
  const { from, to } = ANSWERS[word];
  if (request.state !== from)
    throw new AppError(
      409,
      'bad_state',
      to === 'ended' ? 'This access is not open.' : 'This request was answered already.',
    );
  const minutes = to === 'agreed' ? Number(request.minutes) : to === 'ended' ? 0 : null;
  return { state: to, ends_at: minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString() };
}

/** The requesting platform user. */
export interface Asking {
  userId: number;
  name: string;
  email: string | null;
}

/** A platform user as shown to clients. */
export async function askingPerson(main: Database, userId: number, userName: string): Promise<Asking> {
  const [user] = await main.query<{ name: string; email: string }>(
    'select name, email from public.common_user where id = $1',
    [userId],
  );
  return { userId, name: user?.name ?? userName, email: user?.email ?? null };
}

/** Asks a client's administrators to let a platform user see figures. */
export async function askForFigures(
  tenant: Tenant,
  { userId, name, email }: Asking,
  { purpose, reason, minutes }: { purpose: string; reason: string; minutes: number },
  notifications: Notifications,
): Promise<void> {
  const s = quoted(tenant.schema);
  await tenant.db.transaction(async (tx) => {
    const [made] = await tx.query<{ id: number }>(
      `with r as (insert into ${tableName(tenant.schema, CONSENT_TYPE)} (asked_by, asked_email, platform_user_id, purpose, reason, minutes, state) values ($1, $2, $3, $4, $5, $6, 'asked') returning id),
         h as (insert into ${s}.history (record_type, record_id, version, op, what, change) select '${CONSENT_TYPE}', id, 1, 'I', 'platform', '{}' from r)
       select id from r`,
      [name, email, userId, purpose, reason, minutes],
    );
    await queueWebhooks(tx, tenant.schema, [[CONSENT_TYPE, made!.id]]);
    const admins = await tx.query<{ id: number }>(
      `select id from ${s}.users where is_admin and active and status = 'active'`,
    );
    await notifications.notify(tx, tenant, {
      event: 'support.asked',
      to: admins.map(({ id }) => id),
      values: { actor: name, purpose, reason },
      link: `/${CONSENT_TYPE}/view/${made!.id}`,
      record: { type: CONSENT_TYPE, id: made!.id },
    });
  });
}

/** The sub-domains of a partner's clients. */
export async function clientsOfPartner(main: Database, partnerId: number): Promise<Set<string>> {
  const rows = await main.query<{ sub_domain: string }>(
    'select sub_domain from public.client_account where partner_id = $1',
    [partnerId],
  );
  return new Set(rows.map((row) => row.sub_domain));
}
