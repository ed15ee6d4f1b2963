import { AppError } from '../../db/errors.ts';
import type { Queryable } from '../../db/database.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { storedStep, takeStoredStep } from '../../db/stored_step.ts';
import type { Screen } from '../../../descriptor/types.ts';

/** The state of a client, according to its record. */
export type AccountState = 'draft' | 'provisioning' | 'failed' | 'active' | 'deactivated' | 'archived' | 'purged';

/**
 * The client type, whose descriptor defines states and transitions. Most transitions conclude a job of several minutes
 * that creates, archives or drops a client's tables, possibly in another database: since that cannot be rolled back,
 * the transition is taken separately, and checks only the state.
 */
const CLIENT = 'client_account';

/** The error for an impossible transition. */
const REFUSED = {
  make: 'This client has already been created.',
  made: 'This client is not being created.',
  fail: 'This client is not being created.',
  reset: 'Only a client whose creation failed can be discarded.',
  close: 'Only an active client can be switched off.',
  open: 'Only a client that is switched off can be switched on.',
  pack: 'Only a client that is switched off can be archived. Switch it off first.',
  unpack: 'Only an archived client can be restored.',
  destroy: 'Only an archived client can be purged. Archive it first.',
};

export type ClientStep = keyof typeof REFUSED;

/** The record types in force. */
export type Screens = () => ReadonlyMap<string, Screen>;

const refused = (step: ClientStep) => new AppError(409, 'bad_state', REFUSED[step]);

/** @throws AppError 409 if a transition does not start from a state */
export function mayTake(screens: Screens, step: ClientStep, state: AccountState): void {
  if (!storedStep(screens().get(CLIENT), step).transition.from.includes(state)) throw refused(step);
}

/**
 * Takes a client's record through a transition, with its history entry; the current state decides, not what somebody
 * read before. @returns the record's version then. @throws AppError 409
 */
export async function takeStep(
  main: Queryable,
  screens: Screens,
  { id }: { id: number },
  step: ClientStep,
  by: number | null,
  reason: string | null = null,
): Promise<number> {
  const [row] = await takeStoredStep(main, 'public', screens().get(CLIENT), step, {
    which: (bind) => `r.id = ${bind(id)}`,
    by,
    cause: 'action',
    reason,
    set: (bind) => ({
      state_since: `(now() at time zone '${PLATFORM_ZONE}')::date`,
      state_reason: `${bind(reason?.slice(0, 250) ?? null)}::text`,
      switch_off_on: 'null',
    }),
  });
  if (!row) throw refused(step);
  return row.version;
}

/**
 * Schedules the deactivation of a client for the night before a day. @returns the record's version then. @throws
 * AppError 409
 */
export async function planSwitchOff(
  main: Queryable,
  screens: Screens,
  { id }: { id: number },
  day: string,
): Promise<number> {
  const { from } = storedStep(screens().get(CLIENT), 'close').transition;
  const [row] = await main.query<{ version: number }>(
    'update public.client_account set switch_off_on = $2, version = version + 1 where id = $1 and state = any($3::text[]) returning version',
    [id, day, from],
  );
  if (!row) throw refused('close');
  return row.version;
}
