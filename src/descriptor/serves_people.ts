import type { Screen } from './types.ts';

/** Whether records of a type are people: members of staff. */
export const isMember = ({ serves }: Screen): boolean => typeof serves === 'object' && 'member' in serves;

/** The type of a client's roles: a reference to one means everybody who holds it. */
export const ROLE_TYPE = 'role';

/** Whether records of a type are people: members of staff, or accounts. */
export const isPerson = (screen: Screen): boolean => screen.serves === 'account' || isMember(screen);
