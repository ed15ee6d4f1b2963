import { BoardRegular, ChatHelpRegular, FullScreenMaximizeRegular } from '@fluentui/react-icons';
import type { CSSProperties } from 'react';
import { useMemo } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Dashboard, Tile } from '../../../domain/dashboard.ts';
import { ApiError } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody } from '../../app/page.tsx';
import { AtRoute } from '../report/AtRoute.tsx';
import { Parameters } from '../report/Parameters.tsx';
import type { Chosen } from '../report/report_view.ts';
import { chosenOf } from '../report/report_view.ts';
import { tileSpans } from './tile_spans.ts';
import { TileView } from './TileView.tsx';
import { useDashboard } from './use_dashboard.ts';
import { useFullScreen } from './use_full_screen.ts';
import styles from './dashboard.module.css';

/** Any dashboard: what its descriptor says, as far as it is the reader's. */
export default function DashboardPage({ route }: { route: string }) {
  return (
    <AtRoute<Dashboard> call="/tapi/dashboard/at" route={route}>
      {(dashboard) => <Shown dashboard={dashboard} />}
    </AtRoute>
  );
}

function Shown({ dashboard }: { dashboard: Dashboard }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const chosen = useMemo(() => chosenOf(dashboard.filters, search), [dashboard, search]);
  const { data: answer, error, isLoading, mutate, again } = useDashboard(dashboard, chosen);
  const choose = (next: Chosen) =>
    void navigate(`${pathname}?${new URLSearchParams(next).toString()}`.replace(/\?$/, ''), { replace: true });
  const wrong = error instanceof ApiError && error.status === 422 ? error : null;
  const ask = useAsk(dashboard, search);
  const { frame, isOn, start } = useFullScreen();
  const names = dashboard.tiles.map(({ name }) => name);
  // Those that are read-only are set by a widget.
  const asked = dashboard.filters.filter(({ readOnly }) => !readOnly);
  const answers = new Map(answer?.tiles.map((tile) => [tile.name, tile]));
  // What the answer leaves out is not the reader's any more.
  const tiles = answer ? dashboard.tiles.filter(({ name }) => answers.has(name)) : dashboard.tiles;
  const spans = tileSpans(tiles);
  return (
    <Page
      title={dashboard.title}
      secondary={
        start && tiles.length > 0 ? [{ label: 'Full screen', icon: <FullScreenMaximizeRegular />, onClick: start }] : []
      }
    >
      <PageBody>
        {asked.length > 0 && (
          <Parameters
            label="What the dashboard shows"
            fields={asked}
            chosen={chosen}
            used={answer?.filters ?? {}}
            wrong={wrong}
            onChoose={choose}
          />
        )}
        {error && !answer && !wrong ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : tiles.length === 0 ? (
          <EmptyState
            icon={<BoardRegular />}
            title="Nothing to show yet"
            text="Figures appear here for the lists that your roles can open. Ask your administrator for the lists you need."
          />
        ) : (
          <div ref={frame} className={styles.frame}>
            {isOn && <h2>{dashboard.title}</h2>}
            <ul
              className={styles.tiles}
              data-waiting={(isLoading && answer !== undefined) || undefined}
              aria-busy={isLoading}
            >
              {tiles.map((tile, at) => (
                <li
                  key={tile.name}
                  data-kind={tile.kind}
                  style={{ '--span': spans[at] } as CSSProperties}
                  data-wide={tile.wide || undefined}
                  data-asks={(ask !== null && tile.kind !== 'widget') || undefined}
                >
                  {ask !== null && tile.kind !== 'widget' && (
                    <Link className={styles.ask} to={ask(tile)} aria-label={`Ask about ${tile.title}`} title="Ask">
                      <ChatHelpRegular />
                    </Link>
                  )}
                  <TileView
                    tile={tile}
                    answer={answers.get(tile.name)}
                    // What a widget did may concern all.
                    onAgain={() => void again(tile.kind === 'widget' ? names : [tile.name]).catch(() => undefined)}
                  />
                </li>
              ))}
            </ul>
          </div>
        )}
      </PageBody>
    </Page>
  );
}

/** The address of a new question about a tile as it is shown; null = this reader asks nothing here. */
function useAsk({ name, asks }: Dashboard, search: string): ((tile: Tile) => string) | null {
  const questions = useScreenRef(asks ?? '');
  const add = questions?.rights.add_screen ? questions.routes.add : null;
  if (!add) return null;
  return (tile) => {
    const query = new URLSearchParams({ dashboard: name, tile: tile.name });
    if (search.length > 1) query.set('filters', search.slice(1));
    return `${add}?${query.toString()}`;
  };
}
