import { BoardRegular, ChatHelpRegular, FullScreenMaximizeRegular } from '@fluentui/react-icons';
import type { CSSProperties } from 'react';
import { useEffect, useMemo } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { formatLongDate, formatMoment } from '../../../descriptor/format.ts';
import type { Dashboard, Tile } from '../../../domain/dashboard.ts';
import { ALL_COMPANIES, COMPANY_FILTER } from '../../../domain/dashboard.ts';
import { ApiError } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { chooseCompany } from '../../app/company_choice.ts';
import { toast } from '../../app/feedback.ts';
import { NoAccess } from '../../app/no_access.tsx';
import { useSession } from '../../app/session.ts';
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

/** Kinds that show nothing to ask about. */
const WITHOUT_FIGURE: ReadonlySet<string> = new Set(['widget', 'search']);

/** Any dashboard: what its descriptor says, as far as it is the reader's. */
export default function DashboardPage({ route }: { route: string }) {
  return (
    <AtRoute<Dashboard> call="/tapi/dashboard/at" route={route}>
      {(dashboard) => <Shown dashboard={dashboard} />}
    </AtRoute>
  );
}

function Shown({ dashboard }: { dashboard: Dashboard }) {
  const { search } = useLocation();
  const chosen = useMemo(() => chosenOf(dashboard.filters, search), [dashboard, search]);
  const { data: answer, error, isLoading, mutate, again, isRefused } = useDashboard(dashboard, chosen);
  const choose = useChoose(dashboard);
  const wrong = error instanceof ApiError && error.status === 422 ? error : null;
  const ask = useAsk(dashboard, chosen, answer?.filters);
  const { frame, isOn, start } = useFullScreen();
  const names = dashboard.tiles.map(({ name }) => name);
  // Those that are read-only are set by a widget.
  const asked = dashboard.filters.filter(({ readOnly }) => !readOnly);
  const answers = new Map(answer?.tiles.map((tile) => [tile.name, tile]));
  // What the answer leaves out is not the reader's any more; it is in the order of the reader's layout.
  const known = new Map(dashboard.tiles.map((tile) => [tile.name, tile]));
  const tiles = answer
    ? answer.tiles.flatMap(({ name, wide }) => {
        const tile = known.get(name);
        return tile ? [wide === undefined ? tile : { ...tile, wide }] : [];
      })
    : dashboard.tiles;
  const spans = tileSpans(tiles);
  // Figures that the reader may not see any more do not stay on the screen.
  if (isRefused)
    return answer && dashboard.otherwise !== undefined ? <Refused to={dashboard.otherwise} /> : <NoAccess />;
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
        {dashboard.companies !== undefined && answer && (
          <p className={styles.asOf}>
            As of{' '}
            {answer.day === undefined
              ? formatMoment(answer.at)
              : `${formatLongDate(answer.day)}, read at ${formatMoment(answer.at)}`}
          </p>
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
                  data-asks={(ask !== null && !WITHOUT_FIGURE.has(tile.kind)) || undefined}
                >
                  {ask !== null && !WITHOUT_FIGURE.has(tile.kind) && (
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

/** Returns from a page whose reader has lost the right to it. */
function Refused({ to }: { to: string }) {
  useEffect(() => {
    toast.error('You do not have access to that page any more.');
  }, []);
  return <Navigate to={to} replace />;
}

/**
 * Puts the choices into the address. Another company becomes the current one of this browser: the lists and pages behind
 * the figures are then of the same company.
 */
function useChoose({ companies, filters }: Dashboard): (next: Chosen) => void {
  const { pathname } = useLocation();
  const { entityId, entities } = useSession();
  const navigate = useNavigate();
  return ({ [COMPANY_FILTER]: company, ...others }) => {
    const go = (next: Chosen) =>
      navigate(`${pathname}?${new URLSearchParams(next).toString()}`.replace(/\?$/, ''), { replace: true });
    if (companies === undefined || company === undefined || company === ALL_COMPANIES)
      return void go(company === undefined ? others : { ...others, [COMPANY_FILTER]: company });
    const other = entities.find(({ id }) => String(id) === company);
    // Records that were chosen in the company before are none of the other one.
    const records = new Set(filters.flatMap(({ name, ref }) => (ref ? [name] : [])));
    void go(
      Object.fromEntries(Object.entries(others).filter(([name]) => other?.id === entityId || !records.has(name))),
    );
    if (other && other.id !== entityId)
      chooseCompany(other)
        // Menu and rights are those of the other company.
        .then(() => navigate(0))
        .catch((thrown: unknown) =>
          toast.error(thrown instanceof ApiError && thrown.status < 500 ? thrown.message : 'Server Error'),
        );
  };
}

/** The address of a new question about a tile as it is shown; null = this reader asks nothing here. */
function useAsk(
  { name, asks, begins }: Dashboard,
  chosen: Chosen,
  used: Readonly<Record<string, unknown>> = {},
): ((tile: Tile) => string) | null {
  const questions = useScreenRef(asks ?? '');
  const add = questions?.rights.add_screen ? questions.routes.add : null;
  if (!add) return null;
  return (tile) => {
    const query = new URLSearchParams({ dashboard: name, tile: tile.name });
    // What the page chose for its reader may be another's choice for whoever answers.
    const own = begins ? Object.entries(used).filter(([, value]) => typeof value === 'number') : [];
    const filters = new URLSearchParams({
      ...Object.fromEntries(own.map(([key, value]) => [key, String(value)])),
      ...chosen,
    });
    if (filters.size > 0) query.set('filters', filters.toString());
    return `${add}?${query.toString()}`;
  };
}
