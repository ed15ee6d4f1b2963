import { today } from '../../../descriptor/place.ts';
import { Badge } from '@fluentui/react-components';
import { ClipboardTaskRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate, formatNumber } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { Bars, Box, Figure, dashboardStyles as styles } from '../dashboard_parts.tsx';
import type { Figure as Counted } from './dashboard_figures.ts';
import { FIGURES, STATES, figureAddress, filterText, within } from './dashboard_figures.ts';
import own from './fms_dashboard.module.css';

const TYPE = 'tis_inspection';
const LISTED = 8;

interface Listed {
  data: WireRecord[];
}

/** Field service at a glance: every figure counts records that this person may list, and leads to them. */
export default function FmsDashboardPage() {
  const inspections = useScreenRef(TYPE);
  const open = inspections?.rights.landing === true;
  return (
    <Page title="FMS dashboard" breadcrumbs={[{ label: 'Settings' }]}>
      <PageBody>
        {open ? (
          <>
            <h2 className={own.heading}>Inspections</h2>
            <ul className={styles.figures}>
              {FIGURES.map((figure) => (
                <li key={figure.title}>
                  <FigureCard figure={figure} landing={inspections.routes.landing ?? '/tis_landing'} />
                </li>
              ))}
            </ul>
            <div className={styles.boxes}>
              <ByState landing={inspections.routes.landing ?? '/tis_landing'} />
              <UnsafeLifts />
            </div>
          </>
        ) : (
          <EmptyState
            icon={<ClipboardTaskRegular />}
            title="Nothing to show yet"
            text="Figures stand here for the lists that your roles may open. Ask your administrator for the list of inspections."
          />
        )}
      </PageBody>
    </Page>
  );
}

function useCount(filter: unknown[] | null) {
  const { entityId } = useSession();
  return useSWR([`/tapi/${TYPE}/count`, filterText(filter), entityId], ([path, text]) =>
    api.get<{ count: number; capped: boolean }>(path, text === '' ? {} : { filter: text }, { quiet: true }),
  );
}

function FigureCard({ figure, landing }: { figure: Counted; landing: string }) {
  const filter = within(figure, new Date(`${today()}T00:00:00`));
  const { data, error } = useCount(filter);
  const words = data ? `${formatNumber(data.count)}${data.capped ? '+' : ''}` : error ? '–' : '…';
  return (
    <Figure
      value={words}
      title={figure.title}
      note={error ? 'Could not be counted. Load the page again.' : figure.note}
      to={figureAddress(landing, filter)}
      tone={data && data.count > 0 ? figure.tone : undefined}
    />
  );
}

function ByState({ landing }: { landing: string }) {
  return (
    <Box title="By state" name="Inspections by state">
      <All landing={landing} />
    </Box>
  );
}

function All({ landing }: { landing: string }) {
  const counts = [
    useCount(STATES[0]!.filter),
    useCount(STATES[1]!.filter),
    useCount(STATES[2]!.filter),
    useCount(STATES[3]!.filter),
    useCount(STATES[4]!.filter),
  ];
  const failed = counts.find(({ error }) => error !== undefined);
  if (failed) return <ErrorView error={failed.error} retry={() => counts.forEach(({ mutate }) => void mutate())} />;
  if (counts.some(({ data }) => !data)) return <Skeleton rows={5} />;
  return (
    <Bars
      rows={STATES.map(({ title, filter }, at) => ({
        title,
        value: counts[at]!.data!.count,
        to: figureAddress(landing, filter),
      }))}
      words={(count) => formatNumber(count)}
    />
  );
}

function UnsafeLifts() {
  const { entityId } = useSession();
  const query = {
    filter: filterText(['unsafe', 'eq', true]),
    sort: '-planned_on',
    size: LISTED,
    columns: 'inspection_no,planned_on,customer_name,building,lift_no,status',
    count: 'none',
  };
  const { data, error, mutate } = useSWR([`/tapi/${TYPE}`, 'unsafe', entityId], ([path]) =>
    api.get<Listed>(path, query, { quiet: true }),
  );
  return (
    <Box title="Unsafe lifts">
      {error && !data ? (
        <ErrorView error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : data.data.length === 0 ? (
        <p className={styles.small}>No inspection has found an unsafe lift.</p>
      ) : (
        <ul className={`${styles.lines} ${own.lifts}`}>
          {data.data.map((row) => (
            <li key={row.id}>
              <Link to={`/tis_inspection_view/${row.id}`}>
                {String(row.lift_no)}, {String(row.customer_name)}
              </Link>
              <Badge appearance="tint" color="danger">
                Unsafe
              </Badge>
              <span className={styles.small}>
                {String(row.inspection_no)} · {formatDate(row.planned_on)} · {String(row.building)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}
