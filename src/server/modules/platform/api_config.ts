import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { hasEvents, wrongEvent } from '../../platform/integrations/event_names.ts';
import { OPERATIONS, readScope } from '../../platform/integrations/key_scopes.ts';
import { networkProblem } from '../../services/network/networks.ts';
import { wrongTarget } from '../../services/network/outside_address.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { accountBeyondOwnRights } from '../../access/rights/elevation.ts';

type Row = Record<string, unknown>;

/** Headers reserved for the signature and the connection. */
const OWN_HEADERS =
  /^(webhook-.*|host|content-length|content-type|connection|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*)$/i;

/** A key never gives rights that the person creating or replacing it does not have. */
export async function accountErrors(
  session: Session,
  account: number | null,
  screens: ReadonlyMap<string, Screen>,
): Promise<FieldError[]> {
  const beyond = account === null ? null : await accountBeyondOwnRights(session, account, screens);
  return beyond === null ? [] : [{ field: 'service_user_id', message: beyond }];
}

function scopeErrors(scopes: string[], screens: ReadonlyMap<string, Screen>): FieldError[] {
  const wrong = scopes.find((text) => {
    const scope = readScope(text);
    return !scope || !screens.has(scope.type) || !hasEvents(scope.type);
  });
  if (wrong === undefined) return [];
  return [
    {
      field: 'scopes',
      message: `"${wrong}" is not a scope. Write a record type and ${OPERATIONS.join(', ')} or *, such as employee:read.`,
    },
  ];
}

function eventErrors(session: Session, events: string[], screens: ReadonlyMap<string, Screen>): FieldError[] {
  for (const event of events) {
    const wrong = wrongEvent(event, screens);
    if (wrong !== null) return [{ field: 'events', message: wrong }];
    const screen = screens.get(event.split('.')[0]!)!;
    const refusal = session.rights.refuse(screen, 'view_screen') && session.rights.refuse(screen, 'landing');
    if (refusal) return [{ field: 'events', message: `${event}: ${refusal.message}` }];
  }
  return [];
}

/** Keys and webhooks: which accounts, headers and addresses are allowed. */
export default defineHooks({
  /**
   * A webhook has the rights of the person who saved it last: if somebody else changes the address, it receives no more
   * than they may see.
   */
  fill: ({ userId }, record: Row) => (record.direction === 'outgoing' ? { owner_id: userId } : {}),
  async check(session, record: Row, stored, screens) {
    if (stored !== null && record.direction !== stored.direction)
      return [
        { field: 'direction', message: 'A key cannot become a webhook, or the reverse. Add another configuration.' },
      ];
    if (record.direction === 'inbound') {
      const wrong = networkProblem(record.ip_allow);
      return [
        ...(wrong === null ? [] : [{ field: 'ip_allow', message: wrong }]),
        ...scopeErrors((record.scopes as string[] | null) ?? [], screens),
        ...(await accountErrors(session, record.service_user_id as number | null, screens)),
      ];
    }
    const errors = eventErrors(session, (record.events as string[] | null) ?? [], screens);
    errors.push(...(await accountErrors(session, (record.service_user_id as number | null) ?? null, screens)));
    const address = typeof record.url === 'string' && record.url !== '' ? await wrongTarget(record.url) : null;
    if (address !== null) errors.push({ field: 'url', message: address });
    ((record.headers as { name?: string }[] | null) ?? []).forEach(({ name = '' }, at) => {
      if (OWN_HEADERS.test(name))
        errors.push({
          field: `headers.${at}.name`,
          message: `${name} is set by Mainstay itself. Choose another name.`,
        });
    });
    return errors;
  },
  async leave(session, stored, how, screens) {
    if (how !== 'activate') return null;
    return (await accountErrors(session, stored.service_user_id as number | null, screens))[0]?.message ?? null;
  },
});
