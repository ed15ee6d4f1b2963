import { createContext } from 'react';

/** The open tab; a form with errors opens the one with the first error. */
export interface OpenTab {
  tab: number;
  setTab: (tab: number) => void;
  /** The number of steps that are entered in order, followed by the summary; 0 = free tabs. */
  steps: number;
  /** The furthest step reached. */
  reached: number;
  /** Goes to a step if the open one has no errors. */
  goOn: (to: number) => void;
}

export const LayoutContext = createContext<OpenTab>({
  tab: 0,
  setTab: () => undefined,
  steps: 0,
  reached: 0,
  goOn: () => undefined,
});
