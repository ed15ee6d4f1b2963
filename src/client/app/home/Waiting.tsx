import { Button } from '@fluentui/react-components';
import { CheckmarkCircleRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { HomeAnswer, WaitingItem, WaitingKind } from '../../../domain/home.ts';
import { WAITING_KINDS } from '../../../domain/home.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { Card } from './Card.tsx';
import styles from './home.module.css';

/** The number of lines per kind before "Show all". */
const SHOWN = 5;

const KINDS: Record<WaitingKind, { title: string; icon: string; tone?: 'late' | 'soon'; all?: [string, string] }> = {
  late: { title: 'Late', icon: 'Warning', tone: 'late', all: ['Calendar', '/Calendar'] },
  decide: { title: 'To decide', icon: 'Checkmark', tone: 'soon', all: ['Approvals', '/approval'] },
  refused: { title: 'Blocked', icon: 'ErrorCircle', tone: 'late' },
  due: { title: 'Due soon', icon: 'CalendarClock', all: ['Calendar', '/Calendar'] },
  step: { title: 'Your next step', icon: 'Play' },
  draft: { title: 'Your drafts', icon: 'DocumentText' },
};

/** The items that wait for this person, the most urgent first. */
export function Waiting({ answer: { waiting, counts } }: { answer: Pick<HomeAnswer, 'waiting' | 'counts'> }) {
  const kinds = WAITING_KINDS.filter((kind) => counts[kind]);
  if (kinds.length === 0)
    return (
      <Card title="Waiting for you">
        <p className={styles.nothing}>
          <CheckmarkCircleRegular aria-hidden />
          <span>
            Nothing is waiting for you. Work that is assigned to you, requests for your approval and what falls due
            appear here.
          </span>
        </p>
      </Card>
    );
  return (
    <Card title="Waiting for you">
      {kinds.map((kind) => (
        <Kind
          key={kind}
          kind={kind}
          items={waiting.filter((item) => item.kind === kind)}
          count={`${counts[kind]!.count}${counts[kind]!.more ? '+' : ''}`}
        />
      ))}
    </Card>
  );
}

function Kind({ kind, items, count }: { kind: WaitingKind; items: WaitingItem[]; count: string }) {
  const [all, setAll] = useState(false);
  const { title, icon, tone, all: leads } = KINDS[kind];
  return (
    <section className={styles.kind} aria-label={`${title}: ${count}`}>
      <h3 data-tone={tone}>
        <MenuIcon name={icon} />
        {title} <span>{count}</span>
        {leads && items.some(({ day }) => day !== null || kind === 'decide') && <Link to={leads[1]}>{leads[0]}</Link>}
      </h3>
      <ul className={styles.lines}>
        {(all ? items : items.slice(0, SHOWN)).map((item) => (
          <li key={`${item.route} ${item.what}`}>
            <Link to={item.route}>
              <span>{item.label}</span>
              <small>
                {item.what}
                {item.day !== null && <Day day={item.day} late={kind === 'late'} />}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {items.length > SHOWN && (
        <Button className={styles.more} appearance="transparent" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show ${items.length - SHOWN} more`}
        </Button>
      )}
    </section>
  );
}

function Day({ day, late }: { day: string; late: boolean }) {
  if (day === today()) return <b> · today</b>;
  return (
    <>
      {late ? ' · was due ' : ' · '}
      <time dateTime={day}>{formatDate(day)}</time>
    </>
  );
}
