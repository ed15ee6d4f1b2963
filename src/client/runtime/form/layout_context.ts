import { createContext } from 'react';

/** Which tab is open; a form with errors opens the one that has the first. */
export const LayoutContext = createContext<{ tab: number; setTab: (tab: number) => void }>({
  tab: 0,
  setTab: () => undefined,
});
