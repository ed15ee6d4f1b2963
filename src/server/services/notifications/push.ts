import { gaxios, JWT } from 'google-auth-library';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { messageSettings } from './message_settings.ts';
import type { ChannelSender, OutboxRow } from './outbox.ts';
import { Unsendable } from './outbox.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
/** The token endpoint; the account's own file may name another one. */
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
/** An old message is of no use the next day. */
const TTL_SECONDS = 24 * 60 * 60;

/** The account that sends push messages. */
export interface FirebaseAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
  tokenUri: string;
}

interface FcmError {
  error?: { message?: string; status?: string; details?: { errorCode?: string }[] };
}

/**
 * Sends push messages with Firebase Cloud Messaging's HTTP v1 interface to every registered browser of a person. A
 * browser that Firebase no longer knows is removed. undefined = push is not configured.
 */
export function createPush({
  firebaseAccount: account,
  fcmUrl,
}: {
  firebaseAccount: FirebaseAccount | undefined;
  fcmUrl: URL;
}): ChannelSender | undefined {
  if (account === undefined) return undefined;
  const transporter = new gaxios.Gaxios();
  transporter.interceptors.request.add({
    resolved: async (request) => {
      if (String(request.url) === GOOGLE_TOKEN_URL) request.url = new URL(account.tokenUri);
      return request;
    },
  });
  const client = new JWT({ email: account.clientEmail, key: account.privateKey, scopes: [SCOPE], transporter });
  const url = new URL(`/v1/projects/${account.projectId}/messages:send`, fcmUrl).href;

  async function toDevice(row: OutboxRow, token: string, body: string | undefined): Promise<'sent' | 'gone'> {
    const answer = await client.request<FcmError>({
      url,
      method: 'POST',
      data: {
        message: {
          token,
          // A retry after a partial failure replaces the first message: same tag.
          data: {
            title: row.subject,
            ...(body !== undefined && { body }),
            link: row.link ?? '/notifications',
            tag: `message-${row.id}`,
          },
          webpush: { headers: { TTL: String(TTL_SECONDS), Urgency: 'normal' } },
        },
      },
      retry: false,
      validateStatus: () => true,
    });
    if (answer.status < 300) return 'sent';
    const { error } = answer.data ?? {};
    const codes = (error?.details ?? []).map(({ errorCode }) => errorCode);
    if (answer.status === 404 || codes.includes('UNREGISTERED') || codes.includes('SENDER_ID_MISMATCH')) return 'gone';
    throw new Error(`Firebase refused the message: ${answer.status} ${error?.message ?? error?.status ?? ''}`.trim());
  }

  return async (tenant: Tenant, row: OutboxRow) => {
    const table = `${quoted(tenant.schema)}.users_device`;
    const devices = await tenant.db.query<{ id: number; device_token: string }>(
      `select id, device_token from ${table} where user_id = $1 and active and device_flag order by id`,
      [row.user_id],
    );
    const { push_show_body: show } = await messageSettings(tenant);
    let sent = 0;
    let failure: Error | undefined;
    for (const { id, device_token: token } of devices) {
      try {
        const result = await toDevice(row, token, show ? row.body : undefined);
        if (result === 'sent') sent++;
        await tenant.db.query(
          result === 'sent'
            ? `update ${table} set last_ok_at = now(), last_error = null where id = $1`
            : `update ${table} set active = false, last_error = 'No longer registered.' where id = $1`,
          [id],
        );
      } catch (error) {
        failure = error as Error;
        await tenant.db.query(`update ${table} set last_error = $2 where id = $1`, [id, failure.message.slice(0, 500)]);
      }
    }
    if (failure) throw failure;
    if (sent === 0) throw new Unsendable('suppressed', 'The person has no browser registered for push messages.');
    return undefined;
  };
}
