import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';
import type { NotificationEvent } from './events.ts';

/** The record type with a client's own texts: one record per event. */
const TEMPLATE_TYPE = 'mail_template';

export interface Template {
  title: string;
  mergedTitle?: string;
  body: string;
}

/** The texts of an event: the client's own if there are any, otherwise the default ones. */
export async function templateOf(
  on: Queryable,
  { schema }: Pick<Tenant, 'schema'>,
  event: NotificationEvent,
): Promise<Template> {
  const shipped: Template = {
    title: event.title,
    body: event.body,
    ...(event.mergedTitle !== undefined && { mergedTitle: event.mergedTitle }),
  };
  if (schema === 'public') return shipped;
  // The table is created on first use; a client that never opened the screen has none.
  const [there] = await on.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${quoted(schema)}.${quoted(TEMPLATE_TYPE)}`,
  ]);
  if (!there?.there) return shipped;
  const [own] = await on.query<{ subject: string; body: string }>(
    `select subject, body from ${tableName(schema, TEMPLATE_TYPE)} where event_code = $1 and active`,
    [event.code],
  );
  return own ? { title: own.subject, body: own.body } : shipped;
}
