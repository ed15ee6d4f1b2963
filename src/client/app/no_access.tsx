import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { toast } from './feedback.ts';
import { orHome } from './first_page.ts';
import { hasProduct, useSession } from './session.ts';

/** The guard's redirect to the first page, with a message. */
export function NoAccess() {
  const { products, isPlatform } = useSession();
  useEffect(() => {
    toast.error('You do not have access to that page.');
  }, []);
  return (
    <Navigate
      to={
        hasProduct(products, 'FMS') ? '/welcome_page' : isPlatform ? orHome('/checklist_Template_page') : '/show_list'
      }
      replace
    />
  );
}
