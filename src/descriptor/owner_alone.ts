import type { Screen } from './types.ts';

/** Whether some records of a type are seen by their owner alone, and not only by several people. */
export const isForOwnerAlone = ({ personal }: Pick<Screen, 'personal'>): boolean =>
  personal !== undefined && (personal.when !== undefined || !personal.shared);
