import { Badge, Input, Select } from '@fluentui/react-components';
import { CheckmarkCircleRegular, DismissCircleRegular, SearchRegular } from '@fluentui/react-icons';
import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import { formatDate, formatMoney } from '../../../descriptor/format.ts';
import type { EffectiveRights, Explanation } from '../../../domain/effective_rights.ts';
import { FIELD_KEPT_WORDS } from '../../../domain/field_access.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import type { PageName } from './rights_matrix.ts';
import { PAGES, PAGE_TITLES, SCOPES } from './rights_matrix.ts';
import { RecordChoice } from './RecordChoice.tsx';
import styles from './rights.module.css';

/** The scope of a deputy: which lists, up to which amount. */
function actsForWords({ types, limit }: EffectiveRights['acts_for'][number]): string {
  return `${types === null ? 'Everything within their own screens' : types.join(', ')}${limit === null ? '' : `, up to ${formatMoney(limit)}`}`;
}

/** The pages that a user may open, by which role, and the reasons for refusals. */
export default function UserRightsPage({ params }: BespokeProps) {
  const id = params.id ?? '';
  const [company, setCompany] = useState('');
  const { screens } = menu.use();
  const { data, error, mutate } = useSWR(
    `/tapi/rights/effective?user_id=${id}&entity_id=${company}`,
    (path) => api.get<{ data: EffectiveRights }>(path, undefined, { quiet: true }),
    { keepPreviousData: true },
  );
  const [text, setText] = useState('');
  const [asked, setAsked] = useState({ screen: '', page: 'landing' as PageName, record: null as number | null });
  const entity = company || String(data?.data.entity_id ?? '');
  const why = useSWR(
    asked.screen === ''
      ? null
      : `/tapi/rights/explain?user_id=${id}&entity_id=${entity}&screen=${asked.screen}&page=${asked.page}${asked.record === null ? '' : `&id=${asked.record}`}`,
    (path: string) => api.get<Explanation>(path, undefined, { quiet: true }),
  );
  const rights = data?.data;
  const wanted = text.trim().toLowerCase();
  const shown = useMemo(
    () =>
      (rights?.screens ?? []).filter(
        (row) => wanted === '' || `${row.name} ${row.screen_code} ${row.route ?? ''}`.toLowerCase().includes(wanted),
      ),
    [rights, wanted],
  );
  const choices = useMemo(() => [...screens].sort((a, b) => a.plural.localeCompare(b.plural)), [screens]);

  return (
    <Page
      title={rights ? `Rights of ${rights.user.name}` : 'Rights of a user'}
      breadcrumbs={[{ label: 'Settings' }, { label: 'Users', to: '/users' }]}
      layout="page"
    >
      <PageBody>
        {error && !rights ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : !rights ? (
          <Skeleton rows={10} />
        ) : (
          <>
            <div className={styles.filters}>
              {rights.companies.length > 1 && (
                <Select
                  aria-label="Company"
                  value={String(rights.entity_id ?? '')}
                  onChange={(_, { value }) => setCompany(value)}
                >
                  {rights.companies.map((row) => (
                    <option key={row.id} value={row.id}>
                      {row.name}
                    </option>
                  ))}
                </Select>
              )}
              {rights.user.status !== 'active' && <Badge color="danger">{rights.user.status}</Badge>}
              {rights.user.is_admin && <Badge color="brand">Administrator</Badge>}
              {rights.roles.map((role) => (
                <Badge key={role.id} appearance="outline">
                  {role.name}
                </Badge>
              ))}
              {rights.acts_for.map((delegator) => (
                <Badge
                  key={delegator.name + delegator.until}
                  appearance="tint"
                  color="informative"
                  title={actsForWords(delegator)}
                >
                  Acts for {delegator.name} until {formatDate(delegator.until)}
                </Badge>
              ))}
              {rights.roles.length === 0 && !rights.user.is_admin && (
                <span className={styles.count}>No role in this company.</span>
              )}
            </div>

            <section className={styles.why} aria-labelledby="why">
              <h2 id="why">Why, or why not?</h2>
              <div className={styles.filters}>
                <Select
                  aria-label="Screen"
                  value={asked.screen}
                  onChange={(_, { value }) => setAsked((old) => ({ ...old, screen: value, record: null }))}
                >
                  <option value="">Choose a screen</option>
                  {choices.map((ref) => (
                    <option key={ref.name} value={ref.name}>
                      {ref.plural}
                    </option>
                  ))}
                </Select>
                <Select
                  aria-label="Page"
                  value={asked.page}
                  onChange={(_, { value }) => setAsked((old) => ({ ...old, page: value as PageName }))}
                >
                  {PAGES.map((page) => (
                    <option key={page} value={page}>
                      {PAGE_TITLES[page]}
                    </option>
                  ))}
                </Select>
              </div>
              {asked.screen !== '' && (
                <RecordChoice
                  key={asked.screen}
                  type={asked.screen}
                  value={asked.record}
                  onChange={(record) => setAsked((old) => ({ ...old, record }))}
                />
              )}
              {why.error ? (
                <ErrorView error={why.error} retry={() => void why.mutate()} />
              ) : (
                why.data && (
                  <div role="status">
                    <strong>
                      {rights.user.name} {why.data.allowed ? 'may' : 'may not'}: {PAGE_TITLES[asked.page]},{' '}
                      {why.data.screen}
                      {asked.record !== null && ', this record'}
                    </strong>
                    <ul className={styles.layers}>
                      {why.data.layers.map((layer) => (
                        <li key={layer.layer + layer.text} data-passed={layer.passed}>
                          {layer.passed ? (
                            <CheckmarkCircleRegular aria-label="Passed" />
                          ) : (
                            <DismissCircleRegular aria-label="Refused" />
                          )}
                          {layer.text}
                        </li>
                      ))}
                    </ul>
                    {why.data.fields.length > 0 && (
                      <p>
                        Restricted fields:{' '}
                        {why.data.fields
                          .map(({ title, access }) => `${title} (${FIELD_KEPT_WORDS[access]})`)
                          .join(', ')}
                        .
                      </p>
                    )}
                  </div>
                )
              )}
            </section>

            {rights.fields.length > 0 && (
              <section className={styles.why} aria-labelledby="kept">
                <h2 id="kept">Restricted fields</h2>
                <ul className={styles.layers}>
                  {rights.fields.map(({ screen, title, access }) => (
                    <li key={`${screen} ${title}`}>
                      {screen}: {title} ({FIELD_KEPT_WORDS[access]})
                    </li>
                  ))}
                </ul>
              </section>
            )}

            <div className={styles.filters}>
              <Input
                contentBefore={<SearchRegular />}
                placeholder="Screen or address"
                aria-label="Search screens"
                value={text}
                onChange={(_, { value }) => setText(value)}
              />
              <span className={styles.count}>
                {shown.length} of {rights.screens.length} screens
              </span>
            </div>
            <div className={styles.frame} data-both tabIndex={0} role="region" aria-label="Screens">
              <table className={styles.matrix}>
                <TableHead columns={['Screen', ...PAGES.map((page) => PAGE_TITLES[page]), 'Records']} />
                <tbody>
                  {shown.map((row) => (
                    <tr key={row.screen_code}>
                      <th scope="row">
                        <span className={styles.name}>
                          {row.name}
                          {row.route && <span className={styles.code}>{row.route}</span>}
                        </span>
                      </th>
                      {PAGES.map((page) => (
                        <td key={page}>
                          {row.pages[page] ? (
                            <span title={row.pages[page].join(', ')}>{row.pages[page].join(', ')}</span>
                          ) : (
                            '–'
                          )}
                        </td>
                      ))}
                      <td>{SCOPES[row.data_scope]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {shown.length === 0 && (
                <p className={styles.none}>
                  {rights.screens.length === 0
                    ? 'This user cannot open any screen in this company. Assign a role under Users, Access.'
                    : 'No screen matches. Clear the search.'}
                </p>
              )}
            </div>
          </>
        )}
      </PageBody>
    </Page>
  );
}
