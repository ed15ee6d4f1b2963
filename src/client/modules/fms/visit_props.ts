import type { Screen, WireRecord } from '../../../descriptor/types.ts';

/** The props of every part of a visit. */
export interface VisitProps {
  screen: Screen;
  record: WireRecord;
  /**
   * Takes a transition of the ticket and shows an error or that it is queued.
   * @returns whether it succeeded or is queued
   */
  take: (step: string, asked?: Readonly<Record<string, unknown>>) => Promise<boolean>;
  /** Reloads the ticket. */
  reload: () => void;
}
