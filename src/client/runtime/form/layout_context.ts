import { createContext } from 'react';

/** Which tab is open; a form with errors opens the one that has the first. */
export interface OpenTab {
  tab: number;
  setTab: (tab: number) => void;
  /** Steps that are entered one after the other, the page behind them being the summary; 0 = the tabs are free. */
  steps: number;
  /** The furthest step that was reached. */
  reached: number;
  /** Goes on to a step if the one that is open has no errors. */
  goOn: (to: number) => void;
}

export const LayoutContext = createContext<OpenTab>({
  tab: 0,
  setTab: () => undefined,
  steps: 0,
  reached: 0,
  goOn: () => undefined,
});
