/** What a role allows with a field, the narrowest first; without an entry it is `write`. */
export const FIELD_ACCESSES = ['hidden', 'masked', 'read', 'write'] as const;
export type FieldAccess = (typeof FIELD_ACCESSES)[number];

/** As people read it. */
export const FIELD_ACCESS_WORDS: Readonly<Record<FieldAccess, string>> = {
  hidden: 'Not at all',
  masked: 'Last 4 characters',
  read: 'Read',
  write: 'Read and write',
};

/** The access to a restricted field, as text. */
export const FIELD_KEPT_WORDS: Readonly<Record<FieldAccess, string>> = {
  hidden: 'hidden',
  masked: 'last 4 characters only',
  read: 'to read only',
  write: 'to write',
};

/** A role's access to one field; `write` is only used to remove a restriction. */
export interface FieldRight {
  record_type: string;
  field: string;
  access: FieldAccess;
}

/** The wider of two. */
export function widerAccess(a: FieldAccess, b: FieldAccess): FieldAccess {
  return FIELD_ACCESSES.indexOf(a) >= FIELD_ACCESSES.indexOf(b) ? a : b;
}

/** One role's entry for a field. */
export interface FieldRightOfRole extends FieldRight {
  role: number;
}

/**
 * A person's access to the fields of one type (platform.md §3.3: several roles, the widest wins). Only the roles that
 * give them one of the type's screens count, and a role without entries gives full access; if no role gives the screen,
 * those with entries count. Writable fields are not listed.
 * @param grantors the roles that give the screen
 */
export function fieldAccessOf(
  rights: readonly FieldRightOfRole[],
  grantors: ReadonlySet<number>,
): Map<string, Exclude<FieldAccess, 'write'>> {
  const found = new Map<string, Exclude<FieldAccess, 'write'>>();
  for (const [field, said] of Map.groupBy(rights, (right) => right.field)) {
    const byRole = new Map(said.map(({ role, access }) => [role, access]));
    const roles = grantors.size > 0 ? grantors : byRole.keys();
    let widest: FieldAccess = 'hidden';
    for (const role of roles) widest = widerAccess(widest, byRole.get(role) ?? 'write');
    if (widest !== 'write') found.set(field, widest);
  }
  return found;
}

/** The remaining restrictions of a person who has the rights of two people. */
export function joinedAccess(
  a: ReadonlyMap<string, FieldAccess>,
  b: ReadonlyMap<string, FieldAccess>,
): Map<string, Exclude<FieldAccess, 'write'>> {
  const joined = new Map<string, Exclude<FieldAccess, 'write'>>();
  for (const [field, access] of a) {
    const wider = widerAccess(access, b.get(field) ?? 'write');
    if (wider !== 'write') joined.set(field, wider);
  }
  return joined;
}
