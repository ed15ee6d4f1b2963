import { Suspense, lazy } from 'react';
import { Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';

const MyDay = lazy(() => import('./MyDay.tsx'));
const FieldDesk = lazy(() => import('./FieldDesk.tsx'));

/** Home of field service: my day on a phone, the desk elsewhere. */
export default function FmsHomePage() {
  const phone = usePhone();
  return <Suspense fallback={<Skeleton rows={8} />}>{phone ? <MyDay /> : <FieldDesk />}</Suspense>;
}
