import type { ComponentType } from 'react';

/** What watches beside every page for people who hold an action code; each is a chunk of its own. */
export const watches: readonly { action: string; load: () => Promise<{ default: ComponentType }> }[] = [
  { action: 'FMS_ASSIGN', load: () => import('./fms/RescueWatch.tsx') },
];
