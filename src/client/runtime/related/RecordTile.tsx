import useSWR from 'swr';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Dashboard, DashboardAnswer } from '../../../domain/dashboard.ts';
import { api } from '../../api/http.ts';
import { TileView } from '../dashboard/TileView.tsx';
import styles from './related.module.css';

/** A tile of a dashboard for one record. People who may not open the dashboard see nothing. */
export default function RecordTile({ screen, record }: { screen: Screen; record: WireRecord }) {
  const { dashboard, tile: name, with: given, title } = screen.panel!;
  const values = record as Readonly<Record<string, unknown>>;
  const filters = Object.fromEntries(Object.entries(given).map(([filter, field]) => [filter, String(values[field])]));
  const { data, mutate } = useSWR(
    [`/tapi/dashboard/${dashboard}`, name, filters, record.version],
    async ([path, tile]) => {
      const quiet = { quiet: true };
      const [described, answer] = await Promise.all([
        api.get<{ data: Dashboard }>(path, {}, quiet),
        api.post<{ data: DashboardAnswer }>(path, { filters, tiles: [tile] }, quiet),
      ]);
      return { tile: described.data.tiles.find((one) => one.name === tile), answer: answer.data.tiles[0] };
    },
    { shouldRetryOnError: false },
  );
  if (!data?.tile || !data.answer) return null;
  return (
    <div className={styles.tile}>
      <TileView tile={{ ...data.tile, title }} answer={data.answer} onAgain={() => void mutate()} />
    </div>
  );
}
