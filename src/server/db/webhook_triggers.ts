import { literal, quoted } from './names.ts';

/** Longest a webhook's event name may be; longer values of a state are none. */
const NAME = '^[a-z][a-z0-9_]*$';

/** What the trigger does; one whose text is another is put anew. */
export function webhookTriggerBody(schema: string): string {
  const s = quoted(schema);
  return `
     begin
       if to_regclass(${literal(`${s}.api_config`)}) is null or to_regclass(${literal(`${s}.api_delivery`)}) is null then return null; end if;
       -- Most changes are of types that no webhook asks for.
       if not exists (select 1 from ${s}.api_config c where c.direction = 'outgoing' and c.active and c.state in ('active', 'failing')
         and exists (select 1 from unnest(c.events) e(name) where split_part(e.name, '.', 1) in (select record_type from fresh))) then return null; end if;
       insert into ${s}.api_delivery (api_config_id, event_id, event, state, attempt, next_at, body)
       select c.id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), e.type || '.' || e.word, 'queued', 0, now(),
         jsonb_build_object('type', e.type || '.' || e.word, 'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'entity_id', e.entity_id, 'data', jsonb_build_object('type', e.type, 'id', e.record_id, 'version', e.version))
       from (
         select h.id, h.record_type as type, h.record_id, h.entity_id, h.version, w.word
         from fresh h cross join lateral (
           select case h.op when 'I' then 'created' when 'U' then 'updated' when 'D' then 'deleted' when 'A' then 'activated' when 'X' then 'deactivated' end as word
           union
           select v.word from (values (h.change #>> '{status,1}'), (h.change #>> '{state,1}')) v(word)
           where h.op = 'U' and v.word ~ ${literal(NAME)}
         ) w
         where h.record_type not like 'api\\_%'
       ) e join ${s}.api_config c on c.direction = 'outgoing' and c.active and c.state in ('active', 'failing')
         and (e.type || '.' || e.word = any(c.events) or e.type || '.*' = any(c.events))
       order by e.id, c.id;
       if found then perform pg_notify('mainstay', ${literal(JSON.stringify({ kind: 'webhook', schema }))}); end if;
       return null;
     end `;
}

/**
 * Writes what webhooks are told, in the transaction of the change itself: every change of every type is in the
 * history, whoever makes it, so its rows are the events. Nothing is told of a change that is rolled back, and none is lost.
 */
export function webhookTriggers(schema: string): string[] {
  const s = quoted(schema);
  return [
    `create or replace function ${s}.announce_webhooks() returns trigger language plpgsql as $body$${webhookTriggerBody(schema)}$body$`,
    `create or replace trigger announce_webhooks after insert on ${s}.history
       referencing new table as fresh for each statement execute function ${s}.announce_webhooks()`,
  ];
}
