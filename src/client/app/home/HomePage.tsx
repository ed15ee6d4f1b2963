import { Navigate } from 'react-router-dom';
import { menu } from '../../api/screens.ts';
import { useSession } from '../session.ts';
import { Home } from './Home.tsx';

/** The platform's own home, on administration hosts. */
const PLATFORM_HOME = '/admin_landing';

/** Home; on an administration host the platform overview, for people who may see it. */
export default function HomePage() {
  const { isPlatform } = useSession();
  const { pages, loaded } = menu.use();
  if (isPlatform && loaded && pages.includes(PLATFORM_HOME)) return <Navigate to={PLATFORM_HOME} replace />;
  return <Home title={isPlatform ? 'Platform home' : 'Home'} />;
}
