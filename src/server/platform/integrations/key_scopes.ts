import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';

/** The scopes of a key for the records of a type. */
export const OPERATIONS = ['read', 'add', 'change', 'delete'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Record type → allowed operations; null = everything the service account may do. */
export type KeyScopes = ReadonlyMap<string, ReadonlySet<Operation>> | null;

/** Parses `employee:read`; null = invalid. */
export function readScope(text: string): { type: string; operations: Operation[] } | null {
  const [, type, word] = /^([a-z][a-z0-9_]*):([a-z]+|\*)$/.exec(text.trim()) ?? [];
  if (type === undefined) return null;
  if (word === '*') return { type, operations: [...OPERATIONS] };
  const operation = OPERATIONS.find((one) => one === word);
  return operation ? { type, operations: [operation] } : null;
}

/** An invalid scope gives nothing: a mistake never gives a key more rights. */
export function keyScopes(texts: readonly string[]): KeyScopes {
  if (texts.length === 0) return null;
  const scopes = new Map<string, Set<Operation>>();
  for (const text of texts) {
    const scope = readScope(text);
    if (!scope) continue;
    const known = scopes.get(scope.type) ?? new Set();
    for (const operation of scope.operations) known.add(operation);
    scopes.set(scope.type, known);
  }
  return scopes;
}

/** Calls reserved for people: their results are personal, or are fetched at a separate address. */
const FOR_PEOPLE = /^\/(views|import|export$)/;
/** Deactivation and reactivation require DELETE_RECORDS. */
const DELETES = /^\/(bulk_delete|:id\/(de)?activate)$/;

/** The operation of a call on records; null = not available for keys. `url` is the route's, `/tapi/:type/:id`. */
export function operationOf(method: string, url: string): Operation | null {
  const [, rest] = /^\/t?api\/:type(?=\/|$)(.*)$/.exec(url) ?? [];
  if (rest === undefined || FOR_PEOPLE.test(rest)) return null;
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (DELETES.test(rest)) return 'delete';
  if (method === 'DELETE') return rest === '/:id' ? 'delete' : 'change';
  return method === 'POST' && rest === '' ? 'add' : 'change';
}

const PAGES: Record<PageType, Operation[]> = {
  landing: ['read'],
  view_screen: ['read'],
  add_screen: ['add'],
  // Deleting asks for this page too; which of the two a call is, was decided by its address.
  edit_screen: ['change', 'delete'],
  approval_screen: ['change'],
  transfer_screen: ['change'],
};

/** The account's rights, limited to the key's scopes. */
export function narrowed(rights: CompiledRights, scopes: KeyScopes): CompiledRights {
  if (scopes === null) return rights;
  return {
    ...rights,
    refuse(screen: Screen, page: PageType) {
      const given = scopes.get(screen.name);
      if (given && PAGES[page].some((operation) => given.has(operation))) return rights.refuse(screen, page);
      return {
        reason: 'action',
        message: `This key needs the scope ${screen.name}:${PAGES[page][0]}. Add it in API configuration.`,
      };
    },
  };
}
