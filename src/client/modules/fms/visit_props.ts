import type { Screen, WireRecord } from '../../../descriptor/types.ts';

/** What every part of a visit is given. */
export interface VisitProps {
  screen: Screen;
  record: WireRecord;
  /** Takes a step of the ticket; says what is wrong, or that it waits. @returns whether it is done or waits */
  take: (step: string, asked?: Readonly<Record<string, unknown>>) => Promise<boolean>;
  /** Looks at the ticket again. */
  reload: () => void;
}
