import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import type { DashboardAnswer } from '../../../domain/dashboard.ts';
import type { HomeAnswer } from '../../../domain/home.ts';
import { api } from '../../api/http.ts';
import { TileView } from '../../runtime/dashboard/TileView.tsx';
import { useSession } from '../session.ts';
import styles from './home.module.css';

/** A tile of a dashboard on Home, with its choices in the address; one without anything to show is left out. */
export default function HomeTile({ dashboard, filters: names, tile }: HomeAnswer['tiles'][number]) {
  const { entityId } = useSession();
  const [search] = useSearchParams();
  const filters = Object.fromEntries(names.flatMap((name) => (search.has(name) ? [[name, search.get(name)!]] : [])));
  const { data, mutate } = useSWR(
    [`/tapi/dashboard/${dashboard}`, tile.name, JSON.stringify(filters), entityId],
    async ([path, name]) =>
      (await api.post<{ data: DashboardAnswer }>(path, { tiles: [name], filters }, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const answer = data?.tiles[0];
  if (!answer) return null;
  return (
    <div className={styles.tile}>
      <TileView tile={tile} answer={answer} onAgain={() => void mutate()} />
    </div>
  );
}
