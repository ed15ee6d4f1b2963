import { Badge, Button, Input, Tab, TabList } from '@fluentui/react-components';
import { OrganizationRegular, PeopleTeamRegular, SearchRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useMemo, useState } from 'react';
import useSWR from 'swr';
import { formatDate, formatMoney, formatNumber } from '../../../descriptor/format.ts';
import type { EffectiveRights } from '../../../domain/effective_rights.ts';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { TeamPerson } from './people_model.ts';
import { depthWords, inOrder, matching, taskWords, teamNotes } from './people_model.ts';
import { PersonPhoto } from '../../runtime/fields/files/PersonPhoto.tsx';
import styles from './people.module.css';

const RefusedWork = lazy(() => import('../../runtime/offline/RefusedWork.tsx'));
const PersonCard = lazy(() => import('./PersonCard.tsx'));

/** Number of people rendered at a time. */
const STEP = 100;

interface Team {
  data: TeamPerson[];
  me: TeamPerson | null;
  reason: string | null;
  more?: boolean;
  /** The person for whom this one is the deputy today. */
  acts_for?: EffectiveRights['acts_for'];
}

/** Everybody who reports to the user, directly or indirectly. */
export default function TeamPage() {
  const { entityId } = useSession();
  const { pages } = menu.use();
  const {
    data: team,
    error,
    mutate,
  } = useSWR(['/tapi/my_team', entityId], ([path]) => api.get<Team>(path, undefined, { quiet: true }));
  const [text, setText] = useState('');
  const [direct, setDirect] = useState(false);
  const [max, setMost] = useState(STEP);
  const [open, setOpen] = useState<TeamPerson | null>(null);

  const people = useMemo(() => (team ? inOrder(team.data) : []), [team]);
  const shown = useMemo(
    () => matching(direct ? people.filter(({ depth }) => depth === 1) : people, text),
    [people, direct, text],
  );
  const everybody = useMemo(() => (team?.me ? [team.me, ...people] : people), [team, people]);
  const directs = people.filter(({ depth }) => depth === 1).length;

  return (
    <Page
      title="My team"
      {...(pages.includes('/employee_mstr/reporting') && {
        secondary: [{ label: 'Reporting lines', icon: <OrganizationRegular />, to: '/employee_mstr/reporting' }],
      })}
    >
      <PageBody>
        <Suspense fallback={null}>
          <RefusedWork />
        </Suspense>
        {team?.acts_for?.map(({ name, until, types, limit }) => (
          <p key={name} className={styles.hint}>
            You act for {name} until {formatDate(until)}
            {types && `: ${types.map((type) => type.replaceAll('_', ' ')).join(', ')}`}
            {limit !== null && `, up to ${formatMoney(limit)}`}.
          </p>
        ))}
        {error && !team ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : !team ? (
          <Skeleton rows={10} label="Loading your team" />
        ) : people.length === 0 ? (
          <EmptyState
            icon={<PeopleTeamRegular />}
            title={team.reason === null ? 'Nobody reports to you' : 'You have no team here'}
            text={team.reason ?? 'People who report to you appear here, with everybody below them.'}
          />
        ) : (
          <>
            <div className={styles.tools}>
              <TabList
                size="small"
                selectedValue={direct ? 'direct' : 'all'}
                onTabSelect={(_, { value }) => {
                  setDirect(value === 'direct');
                  setMost(STEP);
                }}
              >
                <Tab value="all">All ({people.length})</Tab>
                <Tab value="direct">Direct ({directs})</Tab>
              </TabList>
              <Input
                className={styles.search ?? ''}
                type="search"
                contentBefore={<SearchRegular />}
                placeholder="Name, designation, branch"
                aria-label="Search my team"
                value={text}
                onChange={(_, { value }) => {
                  setText(value);
                  setMost(STEP);
                }}
              />
              <output className={styles.count}>
                {shown.length === people.length ? '' : `${shown.length} of ${people.length}`}
              </output>
            </div>
            {team.more && (
              <p className={styles.hint}>
                Only the first {formatNumber(people.length)} people of your team are listed.
              </p>
            )}
            {shown.length === 0 ? (
              <EmptyState
                title="Nobody matches"
                text="Clear the search to see your team."
                actions={[{ label: 'Clear the search', onClick: () => setText('') }]}
              />
            ) : (
              <ul className={styles.people} aria-label="My team">
                {shown.slice(0, max).map((person) => (
                  <li key={person.id}>
                    <button type="button" className={styles.person} onClick={() => setOpen(person)}>
                      <PersonPhoto name={person.name} photo={person.photo} size={40} />
                      <span className={styles.two}>
                        <strong>{person.name}</strong>
                        <span className={styles.muted}>
                          {[person.designation, ...teamNotes(person)].filter(Boolean).join(' · ')}
                        </span>
                      </span>
                      <span className={`${styles.cut} ${styles.wide}`}>
                        {person.branch}
                        {person.company && ` · ${person.company}`}
                      </span>
                      <span className={`${styles.cut} ${styles.wide}`}>
                        <span className={styles.muted}>Reports to </span>
                        {person.depth === 1 ? 'you' : person.manager}
                      </span>
                      <span className={styles.marks}>
                        {taskWords(person) !== '' && (
                          <Badge
                            appearance="tint"
                            color={person.tasks?.some(({ late }) => late > 0) ? 'danger' : 'success'}
                          >
                            {taskWords(person)}
                          </Badge>
                        )}
                        <Badge appearance="tint" color={person.depth === 1 ? 'brand' : 'informative'}>
                          {depthWords(person.depth)}
                        </Badge>
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {shown.length > max && (
              <div className={styles.more}>
                <Button onClick={() => setMost(max + STEP)}>Show {Math.min(STEP, shown.length - max)} more</Button>
              </div>
            )}
          </>
        )}
      </PageBody>
      {open && (
        <Suspense fallback={null}>
          <PersonCard person={open} team={everybody} onChoose={setOpen} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </Page>
  );
}
