import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Caller } from '../../db/tenant.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import type { Notifications } from './notify.ts';

/** User names mentioned in a text with "@", each once. */
function mentionsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![\w.@])@([\w.-]*\w)/g)].map((match) => match[1]!.toLowerCase()))];
}

/**
 * People who work in the company of a record; for a shared record all of the client's. SQL on users u, $1 = the
 * company.
 */
function inCompany(schema: string): string {
  return `u.active and u.status = 'active' and not coalesce(u.is_service, false)
    and ($1::bigint is null or exists (select 1 from ${quoted(schema)}.users__companies c where c.parent_id = u.id and c.entity_id = $1))`;
}

/** People that a comment on the record may name, whose name or user name begins with the text. */
export async function mentionable(
  { tenant, userId }: Caller,
  record: WireRecord,
  q: string,
): Promise<{ username: string; name: string }[]> {
  if (tenant.schema === 'public') return [];
  const start = `${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return tenant.db.query(
    `select u.username, u.name from ${peopleTable(tenant.schema)} u where ${inCompany(tenant.schema)} and u.id <> $2 and (lower(u.username) like $3 or lower(u.name) like $3 or lower(u.name) like '% ' || $3)
     order by u.name, u.id limit 6`,
    [record.entity_id ?? null, userId, start],
  );
}

/** Notifies the people mentioned in a comment, and those who created the record or commented on it before. */
export async function notifyOfComment(
  notifications: Notifications,
  caller: Caller & { userName: string },
  screen: Screen,
  record: WireRecord,
  text: string,
): Promise<void> {
  const { tenant, userId } = caller;
  if (tenant.schema === 'public') return;
  const people = await tenant.db.query<{ id: number; named: boolean }>(
    `select u.id, lower(u.username) = any($4) as named from ${peopleTable(tenant.schema)} u
     where ${inCompany(tenant.schema)} and u.id <> $2 and (lower(u.username) = any($4) or u.id = $3
       or exists (select 1 from ${quoted(tenant.schema)}.comment c where c.record_type = $5 and c.record_id = $6 and c.by = u.id and c.deleted_at is null)) limit 100`,
    [record.entity_id ?? null, userId, record.created_by ?? null, mentionsIn(text), screen.name, record.id],
  );
  const label = screen.label
    .map((name) => record[`${name}__label`] ?? record[name])
    .find((value) => typeof value === 'string' && value !== '');
  const page = screen.routes.view ?? screen.routes.edit;
  const notice = {
    values: {
      actor: caller.userName,
      record: `${screen.title} ${String(label ?? record.id)}`,
      text: text.length > 300 ? `${text.slice(0, 299)}…` : text,
    },
    record: { type: screen.name, id: record.id },
    entityId: typeof record.entity_id === 'number' ? record.entity_id : null,
    ...(page && { link: page.replace(':id', String(record.id)) }),
  };
  await tenant.db.transaction(async (tx) => {
    await notifications.notify(tx, tenant, {
      ...notice,
      event: 'mention',
      to: people.filter(({ named }) => named).map(({ id }) => id),
    });
    await notifications.notify(tx, tenant, {
      ...notice,
      event: 'comment',
      to: people.filter(({ named }) => !named).map(({ id }) => id),
      groupKey: `${screen.name}/${record.id}`,
    });
  });
}
