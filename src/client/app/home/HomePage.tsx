import { Home } from './Home.tsx';

export default function HomePage() {
  return <Home />;
}
