import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useEffect, useId, useRef, useState } from 'react';
import type { LinkedRecords as Links, RelatedGroup } from '../../../descriptor/makes.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { amending } from '../../../descriptor/workflow.ts';
import { api } from '../../api/http.ts';
import { Skeleton } from '../../app/page.tsx';
import { countText } from '../landing/list_calls.ts';
import { LinkedRecords } from './LinkedRecords.tsx';
import lines from '../landing/group_lines.module.css';
import styles from './related.module.css';

const RelatedRows = lazy(() => import('./RelatedRows.tsx'));

interface Related {
  links: Links | null;
  groups: RelatedGroup[];
}

/**
 * The sources and targets of a record, and the records that refer to it, counted by type; each group opens in place.
 * Loaded when the end of the page comes into view; hidden if there are none.
 */
export default function RelatedRecords({ screen, id }: { screen: Screen; id: string }) {
  const mark = useRef<HTMLDivElement>(null);
  const seen = useSeen(mark);
  const related = useRelated(screen, id, seen);
  const heading = useId();
  const { links = null, groups = [] } = related ?? {};
  const chain = links ? links.from.length + links.to.length + (links.revisions?.length ?? 0) : 0;
  if (chain === 0 && groups.length === 0) return <div ref={mark} />;
  return (
    <section className={styles.related} aria-labelledby={heading}>
      <h2 id={heading}>Related records</h2>
      {links && chain > 0 && <LinkedRecords links={links} here={Number(id)} />}
      {groups.length > 0 && (
        <ul className={lines.groups}>
          {groups.map((group) => (
            <Group key={`${group.type} ${group.field}`} screen={screen} id={id} group={group} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Records of one type behind a line with their number. */
function Group({ screen, id, group }: { screen: Screen; id: string; group: RelatedGroup }) {
  const [open, setOpen] = useState(false);
  const rows = useId();
  return (
    <li>
      <h3 className={lines.groupLine}>
        <button type="button" aria-expanded={open} aria-controls={rows} onClick={() => setOpen(!open)}>
          {open ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />}
          <span className={lines.groupTitle}>{group.title}</span>{' '}
          {group.by !== screen.title && <span className={lines.quiet}>{group.by}</span>}{' '}
          <span className={lines.count}>{countText(group)}</span>
        </button>
      </h3>
      <div id={rows}>
        {open && (
          <Suspense fallback={<Skeleton rows={3} label={`Loading ${group.title}`} />}>
            <RelatedRows group={group} id={Number(id)} />
          </Suspense>
        )}
      </div>
    </li>
  );
}

/** Whether an element is near the viewport; true at once if that cannot be observed. */
function useSeen(mark: React.RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(typeof IntersectionObserver !== 'function');
  useEffect(() => {
    if (seen || !mark.current) return;
    const watch = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setSeen(true), {
      rootMargin: '200px',
    });
    watch.observe(mark.current);
    return () => watch.disconnect();
  }, [seen, mark]);
  return seen;
}

function useRelated(screen: Screen, id: string, seen: boolean): Related | null {
  const [related, setRelated] = useState<Related | null>(null);
  const isLinked = (screen.makes ?? screen.madeOf ?? amending(screen)) !== undefined;
  const isReferredTo = screen.referredBy.length > 0;
  useEffect(() => {
    if (!seen) return;
    const stop = new AbortController();
    // The record page works without them.
    const ask = <T,>(what: string): Promise<T | null> =>
      api
        .get<{ data: T }>(`/tapi/${screen.name}/${id}/${what}`, undefined, { quiet: true, signal: stop.signal })
        .then(({ data }) => data)
        .catch(() => null);
    void Promise.all([
      isLinked ? ask<Links>('links') : null,
      isReferredTo ? ask<RelatedGroup[]>('related') : null,
    ]).then(([links, groups]) => !stop.signal.aborted && setRelated({ links, groups: groups ?? [] }));
    return () => stop.abort();
  }, [screen.name, id, seen, isLinked, isReferredTo]);
  return related;
}
