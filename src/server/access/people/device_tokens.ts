import { quoted } from '../../db/names.ts';
import type { LiveSession } from '../sessions/session_store.ts';
import type { Session } from '../context.ts';

/** The registration of a browser or phone with the token for push messages. */
export interface DeviceBody {
  device_token?: string;
  device_flag?: boolean;
  entity_id?: number | null;
  active?: boolean;
}

const tableOf = ({ tenant }: Pick<Session, 'tenant'>): string => `${quoted(tenant.schema)}.users_device`;

/** The devices of the person that receive messages. */
export function tokensOf(session: Session): Promise<{ id: number; device_token: string }[]> {
  return session.tenant.db.query(
    `select id, device_token from ${tableOf(session)} where user_id = $1 and active order by id`,
    [session.userId],
  );
}

/** Changes one of the person's own devices. @returns whether it is there */
export async function changeToken(session: Session, id: number, body: DeviceBody): Promise<boolean> {
  const table = tableOf(session);
  const rows = await session.tenant.db.transaction(async (tx) => {
    // A browser's token moves with the browser: another row with the token loses it.
    if (body.device_token !== undefined)
      await tx.query(
        `delete from ${table} where device_token = $1 and id <> $2 and exists (select 1 from ${table} where id = $2 and user_id = $3)`,
        [body.device_token, id, session.userId],
      );
    return tx.query(
      `update ${table} set device_token = coalesce($3, device_token), device_flag = coalesce($4, device_flag),
         entity_id = coalesce($5, entity_id), active = coalesce($6, active), last_seen_at = now() where id = $1 and user_id = $2 returning id`,
      [
        id,
        session.userId,
        body.device_token ?? null,
        body.device_flag ?? null,
        body.entity_id ?? null,
        body.active ?? null,
      ],
    );
  });
  return rows.length > 0;
}

/** Stores the token of a device for its current user. */
export async function keepToken(
  session: Pick<LiveSession, 'tenant' | 'userId' | 'userName' | 'email' | 'entityId'>,
  body: DeviceBody & { device_token: string },
): Promise<{ id: number; made: boolean }> {
  const [row] = await session.tenant.db.query<{ id: number; made: boolean }>(
    `insert into ${tableOf(session)} (user_id, name, email, device_token, device_flag, entity_id, active)
     values ($1,$2,$3,$4,$5,$6,$7)
     on conflict (device_token) do update set user_id = excluded.user_id, name = excluded.name, email = excluded.email,
       device_flag = excluded.device_flag, entity_id = excluded.entity_id, active = excluded.active, last_seen_at = now()
     returning id, xmax = 0 as made`,
    [
      session.userId,
      session.userName,
      session.email,
      body.device_token,
      body.device_flag ?? true,
      body.entity_id ?? session.entityId,
      body.active ?? true,
    ],
  );
  return row!;
}

/** Unregisters a device of the person. @returns the number of registrations */
export async function silenceToken(session: Session, token: string): Promise<number> {
  const rows = await session.tenant.db.query(
    `update ${tableOf(session)} set active = false where user_id = $1 and device_token = $2 returning id`,
    [session.userId, token],
  );
  return rows.length;
}
