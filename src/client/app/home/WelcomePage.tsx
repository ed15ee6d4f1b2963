import { Navigate } from 'react-router-dom';
import { hasProduct, useSession } from '../session.ts';
import { Home } from './Home.tsx';

/** First page of field staff on a phone; without the product it is Home. */
export default function WelcomePage() {
  const { products } = useSession();
  return hasProduct(products, 'FMS') ? <Home title="Welcome" /> : <Navigate to="/show_list" replace />;
}
