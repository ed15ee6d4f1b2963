import { Input } from '@fluentui/react-components';
import { AddRegular, DataTrendingRegular, SearchRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { Sharing } from './report_draft.ts';
import styles from './builder.module.css';

interface Listed {
  name: string;
  title: string;
  description: string | null;
  icon: string | null;
  route: string;
  /** Only for user-built reports. */
  own?: { owner: string | null; mine: boolean; shared: Sharing; roles: string[] };
}

const GROUPS: { title: string; has: (one: Listed) => boolean }[] = [
  { title: 'My reports', has: ({ own }) => own?.mine === true },
  { title: 'Shared with me', has: ({ own }) => own?.mine === false },
  { title: 'Standard reports', has: ({ own }) => own === undefined },
];

/** The people who have a report, as text. */
function sharedWords({ own }: Listed): string {
  if (!own) return '';
  if (!own.mine) return `By ${own.owner ?? 'a person who has left'}`;
  if (own.shared === 'all') return 'Shared with everybody';
  return own.shared === 'roles' ? `Shared with ${own.roles.join(', ')}` : 'Only for me';
}

/** All reports that a person may open: their own, those shared with them, and the product's. */
export default function ReportsPage() {
  const { entityId } = useSession();
  const [text, setText] = useState('');
  const { data, error, mutate } = useSWR(['/tapi/report', entityId], ([path]) =>
    api.get<{ data: Listed[]; meta: { build: boolean } }>(path, {}, { quiet: true }),
  );
  const wanted = text.trim().toLowerCase();
  const found = (data?.data ?? []).filter(({ title, description }) =>
    `${title} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <Page
      title="All reports"
      {...(data?.meta.build && { primary: { label: 'New report', icon: <AddRegular />, to: '/reports/build' } })}
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : !data ? (
          <Skeleton rows={6} label="Loading reports" />
        ) : data.data.length === 0 ? (
          <EmptyState
            icon={<DataTrendingRegular />}
            title="No reports for you yet"
            text={
              data.meta.build
                ? 'A report puts records in groups and counts or adds them up. Build the first one.'
                : 'Ask your administrator for the reports you need.'
            }
            actions={data.meta.build ? [{ label: 'New report', to: '/reports/build' }] : []}
          />
        ) : (
          <>
            <Input
              className={styles.search ?? ''}
              type="search"
              contentBefore={<SearchRegular />}
              placeholder="Search reports"
              aria-label="Search reports"
              value={text}
              onChange={(_, { value }) => setText(value)}
            />
            {found.length === 0 && <p className={styles.faint}>No report has that name.</p>}
            {GROUPS.map(({ title, has }) => {
              const own = found.filter(has);
              return (
                own.length > 0 && (
                  <section key={title} aria-label={title}>
                    <h2 className={styles.heading}>{title}</h2>
                    <ul className={styles.cards}>
                      {own.map((one) => (
                        <li key={one.name}>
                          <Link to={one.route} className={styles.card}>
                            <MenuIcon name={one.icon ?? 'DataTrending'} fallback="DataTrending" />
                            <span>
                              <strong>{one.title}</strong>
                              {one.description !== null && <span className={styles.faint}>{one.description}</span>}
                              {one.own && <span className={styles.faint}>{sharedWords(one)}</span>}
                            </span>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </section>
                )
              );
            })}
          </>
        )}
      </PageBody>
    </Page>
  );
}
