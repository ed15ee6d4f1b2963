import { Badge } from '@fluentui/react-components';
import { ClipboardTaskRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { Figure } from './dashboard_figures.ts';
import { FIGURES, STATES, figureAddress, filterText, within } from './dashboard_figures.ts';
import styles from './dashboard.module.css';

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
            <h2 className={styles.heading}>Inspections</h2>
            <ul className={styles.figures}>
              {FIGURES.map((figure) => (
                <li key={figure.title}>
                  <FigureCard figure={figure} landing={inspections.routes.landing ?? '/tis_landing'} />
                </li>
              ))}
            </ul>
            <div className={styles.halves}>
              <ByState landing={inspections.routes.landing ?? '/tis_landing'} />
              <UnsafeLifts />
            </div>
          </>
        ) : (
          <EmptyState icon={<ClipboardTaskRegular />} title="Nothing to show yet" text="Figures stand here for the lists that your roles may open. Ask your administrator for the list of inspections." />
        )}
      </PageBody>
    </Page>
  );
}

function useCount(filter: unknown[] | null) {
  const { entityId } = useSession();
  return useSWR([`/tapi/${TYPE}/count`, filterText(filter), entityId], ([path, text]) => api.get<{ count: number; capped: boolean }>(path, text === '' ? {} : { filter: text }, { quiet: true }));
}

function FigureCard({ figure, landing }: { figure: Figure; landing: string }) {
  const filter = within(figure, new Date());
  const { data, error } = useCount(filter);
  const words = data ? `${data.count.toLocaleString('en-IN')}${data.capped ? '+' : ''}` : error ? '–' : '…';
  return (
    <Link to={figureAddress(landing, filter)} className={styles.figure} data-tone={data && data.count > 0 ? figure.tone : 'neutral'}>
      <span className={styles.number}>{words}</span>
      <span>{figure.title}</span>
      <span className={styles.note}>{error ? 'Could not be counted. Load the page again.' : figure.note}</span>
    </Link>
  );
}

function ByState({ landing }: { landing: string }) {
  return (
    <section className={styles.box} aria-label="Inspections by state">
      <h3>By state</h3>
      <All landing={landing} />
    </section>
  );
}

function All({ landing }: { landing: string }) {
  const counts = [useCount(STATES[0]!.filter), useCount(STATES[1]!.filter), useCount(STATES[2]!.filter), useCount(STATES[3]!.filter), useCount(STATES[4]!.filter)];
  const failed = counts.find(({ error }) => error !== undefined);
  if (failed) return <ErrorView error={failed.error} retry={() => counts.forEach(({ mutate }) => void mutate())} />;
  if (counts.some(({ data }) => !data)) return <Skeleton rows={5} />;
  const most = Math.max(1, ...counts.map(({ data }) => data!.count));
  return (
    <ul className={styles.bars}>
      {STATES.map(({ title, filter }, at) => {
        const { count } = counts[at]!.data!;
        return (
          <li key={title}>
            <Link to={figureAddress(landing, filter)}>{title}</Link>
            <span className={styles.track} aria-hidden="true">
              <span style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className={styles.count}>{count.toLocaleString('en-IN')}</span>
          </li>
        );
      })}
    </ul>
  );
}

function UnsafeLifts() {
  const { entityId } = useSession();
  const query = { filter: filterText(['unsafe', 'eq', true]), sort: '-planned_on', size: LISTED, columns: 'inspection_no,planned_on,customer_name,building,lift_no,status', count: 'none' };
  const { data, error, mutate } = useSWR([`/tapi/${TYPE}`, 'unsafe', entityId], ([path]) => api.get<Listed>(path, query, { quiet: true }));
  return (
    <section className={styles.box} aria-label="Unsafe lifts">
      <h3>Unsafe lifts</h3>
      {error && !data ? (
        <ErrorView error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : data.data.length === 0 ? (
        <p className={styles.note}>No inspection has found an unsafe lift.</p>
      ) : (
        <ul className={styles.lifts}>
          {data.data.map((row) => (
            <li key={row.id}>
              <Link to={`/tis_inspection_view/${row.id}`}>
                {String(row.lift_no)}, {String(row.customer_name)}
              </Link>
              <Badge appearance="tint" color="danger">
                Unsafe
              </Badge>
              <span className={styles.note}>
                {String(row.inspection_no)} · {String(row.planned_on).split('-').reverse().join('-')} · {String(row.building)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
