import { Badge } from '@fluentui/react-components';
import { useEffect, useMemo, useState } from 'react';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ApprovalLevel, RecordApproval } from '../../../domain/approval_levels.ts';
import { api } from '../../api/http.ts';
import { documentOf } from './approved_document.ts';
import { needWords } from './need_words.ts';
import styles from './approval_levels.module.css';

const STATES: Record<string, { label: string; color: 'brand' | 'danger' | 'informative' | 'success' | 'warning' }> = {
  waiting: { label: 'Waiting', color: 'warning' },
  approved: { label: 'Approved', color: 'success' },
  returned: { label: 'Returned', color: 'brand' },
  rejected: { label: 'Rejected', color: 'danger' },
  withdrawn: { label: 'Withdrawn', color: 'informative' },
  not_needed: { label: 'Not needed', color: 'informative' },
  later: { label: 'Later', color: 'informative' },
};

const MARKS: Record<ApprovalLevel['state'], string | null> = { done: '✓', stopped: '×', waiting: null, later: null };

/** The maximum number of people named for a level that is not active yet. */
const MAX_NAMES = 3;

/**
 * The approval of a record: its levels, who decided, and who has been asked since when; nothing if approval was never
 * requested. The page of a request shows only its own levels.
 */
export default function ApprovalLevels({ screen, record }: { screen: Screen; record: WireRecord }) {
  const document = useMemo(() => documentOf(screen), [screen]);
  const type = document ? String(record[document.type]) : screen.name;
  const id = document ? Number(record[document.id]) : record.id;
  const [requests, setRequests] = useState<RecordApproval[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    api
      .get<{ data: RecordApproval[] }>(`/tapi/${type}/${id}/approval`, undefined, {
        quiet: true,
        signal: stop.signal,
      })
      .then(({ data }) => setRequests(document ? data.filter((request) => request.id === record.id) : data))
      // The record page works without them.
      .catch(() => undefined);
    return () => stop.abort();
    // A record may have been approved without a new version.
  }, [type, id, document, record]);
  return requests.map((request) => <Request key={request.id} request={request} />);
}

function Request({ request }: { request: RecordApproval }) {
  const { state, process, asked_by: by, asked_at: at, changes, levels } = request;
  const now = STATES[state];
  return (
    <section className={styles.request} aria-label={process === null ? 'Approval' : `Approval: ${process}`}>
      <div className={styles.head}>
        <h2>Approval</h2>
        {now && (
          <Badge appearance="tint" color={now.color}>
            {now.label}
          </Badge>
        )}
        <span className={styles.quiet}>
          Asked {by === null ? '' : `by ${by} `}on {formatMoment(at)}
          {process === null ? '' : ` · ${process}`}
        </span>
      </div>
      {changes !== null && <p className={styles.changes}>Changed since the request: {changes}</p>}
      <ol className={styles.levels}>
        {levels.map((level) => (
          <Level key={level.level} level={level} request={request} />
        ))}
      </ol>
    </section>
  );
}

function Level({
  level: { level, state, need, need_n: count, people },
  request,
}: {
  level: ApprovalLevel;
  request: RecordApproval;
}) {
  const words = needWords(need, count, people.length);
  const { waits_since: since, due_at: due } = request;
  const late = due !== null && Date.parse(due) < Date.now();
  return (
    <li className={styles.level} data-state={state} aria-current={state === 'waiting' ? 'step' : undefined}>
      <div className={styles.levelHead}>
        <span className={styles.mark} aria-hidden="true">
          {MARKS[state] ?? level}
        </span>
        <b>Level {level}</b>
        {words !== '' && <span className={styles.quiet}>{words}</span>}
      </div>
      {state === 'waiting' && since !== null && (
        <div className={styles.quiet}>
          since {formatMoment(since)}
          {due !== null && (
            <span className={late ? styles.late : undefined}>
              {' '}
              · {late ? 'was to be decided' : 'to be decided'} by {formatMoment(due)}
            </span>
          )}
        </div>
      )}
      {state === 'later' ? (
        <div className={styles.people}>{namesOf(people)}</div>
      ) : (
        <ul className={styles.people}>
          {people.map((person, at) => (
            <Person key={at} person={person} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The people who will be asked, the first by name. */
function namesOf(people: ApprovalLevel['people']): string {
  const names = people.slice(0, people.length === MAX_NAMES + 1 ? MAX_NAMES + 1 : MAX_NAMES).map(({ name }) => name);
  const more = people.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} others` : names.join(', ');
}

function Person({ person: { name, state, why, by, at, remark } }: { person: ApprovalLevel['people'][number] }) {
  const now = STATES[state];
  return (
    <li>
      <span className={styles.name}>{by === null ? name : `${by} for ${name}`}</span>
      {now && state !== 'later' && (
        <Badge appearance="tint" size="small" color={now.color}>
          {now.label}
        </Badge>
      )}
      <span className={styles.quiet}>{[at === null ? null : formatMoment(at), why].filter(Boolean).join(' · ')}</span>
      {remark !== null && <q className={styles.remark}>{remark}</q>}
    </li>
  );
}
