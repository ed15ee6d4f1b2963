import type { Screen } from './types.ts';

/** Whether records of a type are people: members of staff. */
export const isMember = ({ serves }: Screen): boolean => typeof serves === 'object' && 'member' in serves;

/** Whether records of a type are people: members of staff, or accounts. */
export const isPerson = (screen: Screen): boolean => screen.serves === 'account' || isMember(screen);
