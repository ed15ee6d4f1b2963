import { AppError } from '../../db/errors.ts';
import type { Queryable } from '../../db/database.ts';

/** Where a client stands, as its record says. */
export type AccountState = 'draft' | 'provisioning' | 'failed' | 'active' | 'deactivated' | 'archived' | 'purged';

interface Step {
  from: readonly AccountState[];
  to: AccountState;
  /** What is answered in other states. */
  refused: string;
}

/**
 * The states of clients and the only ways between them. It is no `workflow` of the descriptor: most steps are made by
 * jobs of minutes that make, pack or drop the tables of the client, perhaps in another database, and the state changes
 * when the job has come to its end, which no unit of work of the platform's database could hold.
 */
const STEPS = {
  provision: {
    from: ['draft', 'failed', 'provisioning'],
    to: 'provisioning',
    refused: 'This client has been made already.',
  },
  made: { from: ['provisioning'], to: 'active', refused: 'This client is not being made.' },
  fail: { from: ['provisioning'], to: 'failed', refused: 'This client is not being made.' },
  discard: { from: ['failed'], to: 'draft', refused: 'Only a client whose making failed can be discarded.' },
  switch_off: { from: ['active'], to: 'deactivated', refused: 'Only an active client can be switched off.' },
  switch_on: { from: ['deactivated'], to: 'active', refused: 'Only a client that is switched off can be switched on.' },
  archive: {
    from: ['deactivated'],
    to: 'archived',
    refused: 'Only a client that is switched off can be archived. Switch it off first.',
  },
  restore: { from: ['archived'], to: 'active', refused: 'Only an archived client can be restored.' },
  purge: {
    from: ['archived'],
    to: 'purged',
    refused: 'Only an archived client can be purged. Archive it first.',
  },
} as const satisfies Record<string, Step>;

export type ClientStep = keyof typeof STEPS;

/** @throws AppError 409 where a step does not lead from a state */
export function mayTake(step: ClientStep, state: AccountState): void {
  if (!(STEPS[step].from as readonly AccountState[]).includes(state))
    throw new AppError(409, 'bad_state', STEPS[step].refused);
}

/**
 * Takes a client's record through a step, with its line of the history; what it was in decides, not what somebody read
 * before. @returns the record's version then. @throws AppError 409
 */
export async function takeStep(
  main: Queryable,
  { id }: { id: number },
  step: ClientStep,
  by: number | null,
  reason: string | null = null,
): Promise<number> {
  const { from, to, refused } = STEPS[step];
  const [row] = await main.query<{ version: number }>(
    `with o as (select id, state from public.client_account where id = $1 and state = any($6::text[]) for update),
     r as (update public.client_account a set state = $2, state_since = current_date, state_reason = $3, switch_off_on = null, version = a.version + 1, updated_at = now(), updated_by = $4
       from o where a.id = o.id returning a.id, a.version, o.state as before),
     h as (insert into public.history (record_type, record_id, version, op, by, what, change)
       select 'client_account', r.id, r.version, 'U', $4, $5, jsonb_build_object('state', jsonb_build_array(r.before, $2::text)) from r)
     select version from r`,
    [id, to, reason?.slice(0, 250) ?? null, by, 'action', from],
  );
  if (!row) throw new AppError(409, 'bad_state', refused);
  return row.version;
}

/** Plans to switch a client off in the night before a day. @returns the record's version then. @throws AppError 409 */
export async function planSwitchOff(main: Queryable, { id }: { id: number }, day: string): Promise<number> {
  const { from, refused } = STEPS.switch_off;
  const [row] = await main.query<{ version: number }>(
    'update public.client_account set switch_off_on = $2, version = version + 1 where id = $1 and state = any($3::text[]) returning version',
    [id, day, from],
  );
  if (!row) throw new AppError(409, 'bad_state', refused);
  return row.version;
}
