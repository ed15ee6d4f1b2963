import { Navigate, useLocation } from 'react-router-dom';
import { menu } from '../api/screens.ts';
import { useBrand } from './brand.ts';
import { orHome } from './first_page.ts';
import { FirstLoad } from './first_load.tsx';
import { landingAfterSignIn } from './login/sign_in.ts';
import { isPhone, storedSession } from './session.ts';

/** The root address leads to the same page as signing in. */
export default function StartPage() {
  const { search } = useLocation();
  const { loginVariant } = useBrand();
  const { loaded, error } = menu.use();
  if (!loaded && !error) return <FirstLoad />;
  return <Navigate to={orHome(landingAfterSignIn(storedSession(), loginVariant, isPhone())) + search} replace />;
}
