import { Suspense, lazy } from 'react';
import { Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import { useHome } from './use_home.ts';

const MyDay = lazy(() => import('./MyDay.tsx'));
const FieldDesk = lazy(() => import('./FieldDesk.tsx'));

/** Home of field service: a team member's day on a phone, otherwise the desk. */
export default function FmsHomePage() {
  const phone = usePhone();
  const { data, error } = useHome();
  const loading = <Skeleton rows={8} />;
  // Offline, only a technician's page is useful: the desk would be empty.
  if (phone && !data && !error) return loading;
  return <Suspense fallback={loading}>{phone && data?.inTeam !== false ? <MyDay /> : <FieldDesk />}</Suspense>;
}
