import { FIELD_ACCESSES } from '../../../domain/field_access.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import type { DataScope } from '../context.ts';
import type { LiveSession } from './session_store.ts';

type KeptFields = ReadonlyMap<string, Exclude<FieldAccess, 'write'>>;

const SCOPES: readonly DataScope[] = ['own', 'team', 'branch', 'company', 'all_companies'];

const narrowest = (scopes: readonly DataScope[]): DataScope =>
  SCOPES[Math.min(...scopes.map((scope) => SCOPES.indexOf(scope)))]!;

/** Of each field the least that one of them gives. */
function leastAccess(each: readonly KeptFields[]): KeptFields {
  const least = new Map<string, Exclude<FieldAccess, 'write'>>();
  for (const [field, access] of each.flatMap((one) => [...one])) {
    const known = least.get(field);
    if (known === undefined || FIELD_ACCESSES.indexOf(access) < FIELD_ACCESSES.indexOf(known)) least.set(field, access);
  }
  return least;
}

/** A session whose rows are of its own company only, even where the role reads all companies. */
export function inOneCompany(session: LiveSession): LiveSession {
  const { rights } = session;
  return {
    ...session,
    rights: { ...rights, dataScope: (screen) => narrowest([rights.dataScope(screen), 'company']) },
  };
}

/**
 * The sessions of a person in several companies as one that reads the records of all of them. It has only the rights that
 * the person has in each of the companies, and the narrowest rows. @param sessions at least one
 */
export function companiesTogether(sessions: readonly [LiveSession, ...LiveSession[]]): LiveSession {
  const [first] = sessions;
  const refusal = <R>(ask: (session: LiveSession) => R | null): R | null => {
    for (const session of sessions) {
      const found = ask(session);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    ...first,
    together: true,
    entityId: null,
    entityIds: sessions.flatMap(({ entityId }) => entityId ?? []),
    branchIds: [...new Set(sessions.flatMap(({ branchIds }) => branchIds))],
    rights: {
      ...first.rights,
      refuse: (screen, page) => refusal(({ rights }) => rights.refuse(screen, page)),
      refuseAction: (action) => refusal(({ rights }) => rights.refuseAction(action)),
      dataScope: (screen) => narrowest([...sessions.map(({ rights }) => rights.dataScope(screen)), 'company']),
      fieldAccess: (screen) => leastAccess(sessions.map(({ rights }) => rights.fieldAccess(screen))),
      restricted: sessions.some(({ rights }) => rights.restricted),
      ...(sessions.some(({ rights }) => rights.groupsOnly) && { groupsOnly: true }),
    },
  };
}
