import type { ComponentType } from 'react';
import { Suspense, lazy } from 'react';
import { watches } from '../../modules/watches.ts';
import { useSession } from '../session.ts';

const KNOWN = watches.map(({ action, load }): { action: string; Watch: ComponentType } => ({
  action,
  Watch: lazy(load),
}));

/** Background watchers, for the people they concern. */
export default function Watches() {
  const { actions, isAdmin, isPlatform, entityId } = useSession();
  if (isPlatform || entityId === null) return null;
  return (
    <Suspense fallback={null}>
      {KNOWN.map(({ action, Watch }) => (isAdmin || actions.includes(action)) && <Watch key={action} />)}
    </Suspense>
  );
}
