import { MoreHorizontalRegular } from '@fluentui/react-icons';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { RowStep } from '../action_address.ts';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { ClockShown } from '../fields/clock/ClockShown.tsx';
import { badgeTone, cellText, fieldOf, recordLabel } from './cell_text.ts';
import styles from './cards.module.css';
import type { ListPage } from './list_calls.ts';
import { fetchRows } from './list_calls.ts';

const pullDistance = 72;

/** The list on a phone: cards of at most four lines, infinite scrolling, pull down to refresh. */
export default function CardList({
  screen,
  rowsKey,
  first,
  parameters,
  size,
  stale,
  address,
  step,
  onMore,
  onRefresh,
}: {
  screen: Screen;
  rowsKey: string;
  first: ListPage;
  parameters: Record<string, string>;
  size: number;
  stale: boolean;
  address: (record: WireRecord) => string | null;
  step: ((record: WireRecord) => RowStep | null) | null;
  onMore: (record: WireRecord, target: HTMLElement) => void;
  onRefresh: () => void;
}) {
  const { rows, more, failed, load } = useEndlessRows(screen.name, rowsKey, first, parameters, size);
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const mark = end.current;
    if (!mark || !more || failed || stale || typeof IntersectionObserver !== 'function') return;
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && load(), {
      rootMargin: '600px',
    });
    watch.observe(mark);
    return () => watch.disconnect();
  }, [more, failed, stale, load, rows]);

  const [pulled, pull] = usePull(onRefresh);
  return (
    <div className={styles.list} data-stale={stale ? '' : undefined} aria-busy={stale} {...pull}>
      <div className={styles.pull} style={{ height: pulled }} aria-hidden>
        {pulled > 0 && (pulled >= pullDistance ? 'Release to refresh' : 'Pull to refresh')}
      </div>
      <ul>
        {rows.map((record) => (
          <Card
            key={record.id}
            screen={screen}
            record={record}
            to={address(record)}
            step={step?.(record) ?? null}
            onMore={onMore}
          />
        ))}
      </ul>
      <div ref={end} className={styles.end}>
        {failed ? (
          <button type="button" onClick={load}>
            The next records could not be loaded. Try again
          </button>
        ) : (
          more && <output>Loading more…</output>
        )}
      </div>
    </div>
  );
}

function useEndlessRows(type: string, key: string, first: ListPage, parameters: Record<string, string>, size: number) {
  const [rest, setRest] = useState<{ key: string; pages: ListPage[]; failed: boolean }>({
    key,
    pages: [],
    failed: false,
  });
  const pages = rest.key === key ? rest.pages : [];
  const last = pages.at(-1) ?? first;
  const more = last.pagination.has_next || last.pagination.more;
  const running = useRef<string | null>(null);

  const next = pages.length + 2;
  const cursor = last.cursor;
  const load = useCallback(() => {
    const turn = `${key} ${next}`;
    if (running.current === turn) return;
    running.current = turn;
    fetchRows(type, parameters, { page: next, size, ...(cursor ? { after: cursor } : {}) })
      .then((page) => setRest((old) => ({ key, pages: [...(old.key === key ? old.pages : []), page], failed: false })))
      .catch(() => setRest((old) => ({ key, pages: old.key === key ? old.pages : [], failed: true })))
      .finally(() => {
        running.current = null;
      });
  }, [type, key, parameters, size, next, cursor]);

  // A record that moved from one page to the next because others were added is shown once.
  const seen = new Set<number>();
  const rows = [first, ...pages].flatMap(({ data }) => data).filter(({ id }) => !seen.has(id) && seen.add(id));
  return { rows, more, failed: rest.key === key && rest.failed, load };
}

/** A record as a card; `onMore` opens its action menu. */
export function Card({
  screen,
  record,
  to,
  step = null,
  onMore,
}: {
  screen: Screen;
  record: WireRecord;
  to: string | null;
  step?: RowStep | null;
  onMore?: (record: WireRecord, target: HTMLElement) => void;
}) {
  const title = recordLabel(screen, record);
  const fields = screen.card.flatMap((name) => fieldOf(screen, name) ?? []);
  const status = fields.find((field) => badgeTone(field, record[field.name]) && field.type === 'enum');
  const facts = fields
    .filter((field) => field !== status)
    .map((field) => ({ field, text: cellText(field, record) }))
    .filter(({ text }) => text !== '' && text !== title)
    .slice(0, 3);
  const tone = status && badgeTone(status, record[status.name]);
  return (
    <li className={styles.card}>
      <div className={styles.main}>
        <div className={styles.titleLine}>
          {to === null ? <b>{title}</b> : <Link to={to}>{title}</Link>}
          {status && tone && (
            <span className={styles.badge} data-tone={tone}>
              {cellText(status, record)}
            </span>
          )}
          {!record.active && (
            <span className={styles.badge} data-tone="neutral">
              Inactive
            </span>
          )}
        </div>
        {facts.map(({ field, text }) => (
          <div key={field.name} className={styles.fact}>
            <span>{field.title}</span>{' '}
            {field.type === 'clock' ? <ClockShown value={record[field.name] as ClockValue} /> : text}
          </div>
        ))}
        {step && (
          <Link to={step.to} className={styles.step} aria-label={`${step.title}: ${title}`}>
            {step.title}
          </Link>
        )}
      </div>
      {onMore && (
        <button
          type="button"
          className={styles.more}
          aria-label={`Actions for ${title}`}
          onClick={(event) => onMore(record, event.currentTarget)}
        >
          <MoreHorizontalRegular />
        </button>
      )}
    </li>
  );
}

/** Pulling down at the top of the list; the page's scroller is the nearest scrolling ancestor. */
function usePull(refresh: () => void) {
  const [pulled, setPulled] = useState(0);
  const start = useRef<number | null>(null);
  const atTop = (element: HTMLElement | null): boolean => {
    for (let one = element; one; one = one.parentElement) if (one.scrollTop > 0) return false;
    return true;
  };
  const end = () => {
    if (pulled >= pullDistance) refresh();
    start.current = null;
    setPulled(0);
  };
  return [
    pulled,
    {
      onTouchStart: (event: React.TouchEvent<HTMLElement>) => {
        start.current = atTop(event.currentTarget) ? (event.touches[0]?.clientY ?? null) : null;
      },
      onTouchMove: (event: React.TouchEvent<HTMLElement>) => {
        const now = event.touches[0]?.clientY;
        if (start.current === null || now === undefined) return;
        setPulled(Math.max(0, Math.min(96, (now - start.current) * 0.5)));
      },
      onTouchEnd: end,
      onTouchCancel: end,
    },
  ] as const;
}
