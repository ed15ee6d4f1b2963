import type { ComponentType } from 'react';

/** Watches that run beside every page for people who hold an action code; each is a separate chunk. */
export const watches: readonly { action: string; load: () => Promise<{ default: ComponentType }> }[] = [
  { action: 'FMS_ASSIGN', load: () => import('./fms/RescueWatch.tsx') },
];
