import { Dialog, DialogSurface, Spinner } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import type { FoundRecord, Hit } from './search_hits.ts';
import { pageHits, recordHits } from './search_hits.ts';
import { takeTyped } from '../layout/panels.ts';
import { openPlaces } from '../open_places.ts';
import { recentPlaces } from '../recent_places.ts';
import { useSession } from '../session.ts';
import styles from './search_palette.module.css';

/** Ctrl+K: pages by name, then records found by the server. */
export default function SearchPalette({ onClose }: { onClose: () => void }) {
  const { tree, screens } = menu.use();
  const places = recentPlaces.use();
  const { entityId } = useSession();
  const recent = useMemo(() => openPlaces(places, screens, entityId), [places, screens, entityId]);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [records, setRecords] = useState<FoundRecord[]>([]);
  const [busy, setBusy] = useState(false);
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const wanted = query.trim();

  useEffect(() => {
    setAt(0);
    if (wanted.length < 2) {
      setRecords([]);
      setBusy(false);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      setBusy(true);
      api
        .get<{ data: FoundRecord[] }>('/tapi/search', { q: wanted }, { quiet: true, signal: stop.signal })
        .then(({ data }) => setRecords(data))
        // Pages are still found; an outdated or failed search shows no message.
        .catch(() => setRecords([]))
        .finally(() => !stop.signal.aborted && setBusy(false));
    }, 180);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted]);

  const hits: Hit[] = useMemo(
    () => [...pageHits(tree, screens, wanted, recent), ...recordHits(records, screens, wanted)],
    [tree, screens, wanted, records, recent],
  );
  const current = hits[Math.min(at, hits.length - 1)];

  const go = (hit: Hit | undefined, tab = false) => {
    if (!hit) return;
    if (tab || hit.newTab) open(hit.to, '_blank', 'noopener');
    else void navigate(hit.to);
    if (!tab) onClose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0 && hits.length > 0) {
      event.preventDefault();
      const next = (at + move + hits.length) % hits.length;
      setAt(next);
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(current, event.ctrlKey || event.metaKey);
    }
  };

  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface className={styles.surface} aria-label="Search">
        <div className={styles.field}>
          <SearchRegular aria-hidden />
          <input
            autoFocus
            type="text"
            role="combobox"
            aria-expanded={hits.length > 0}
            aria-controls={listId}
            aria-activedescendant={current ? `${listId}-${hits.indexOf(current)}` : undefined}
            aria-label="Search pages and records"
            placeholder="Search pages and records"
            value={query}
            onFocus={() => setQuery((before) => before + takeTyped())}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={onKeyDown}
          />
          {busy && <Spinner size="tiny" />}
          <kbd>Esc</kbd>
        </div>
        <ul className={styles.hits} id={listId} role="listbox" aria-label="Found" ref={list}>
          {hits.map((hit, index) => (
            <li key={hit.key} role="presentation">
              {hits[index - 1]?.group !== hit.group && <div className={styles.group}>{hit.group}</div>}
              <div
                role="option"
                id={`${listId}-${index}`}
                aria-selected={hit === current}
                className={styles.hit}
                onPointerMove={() => setAt(index)}
                onClick={(event) => go(hit, event.ctrlKey || event.metaKey)}
                onKeyDown={onKeyDown}
                tabIndex={-1}
              >
                <MenuIcon name={hit.icon} />
                <span className={styles.name}>{hit.label}</span>
                {hit.detail && <span className={styles.detail}>{hit.detail}</span>}
              </div>
            </li>
          ))}
        </ul>
        <p className={styles.none} role="status">
          {hits.length === 0 &&
            !busy &&
            (wanted === '' ? 'Type a page or a record’s name or number.' : `Nothing found for “${wanted}”.`)}
        </p>
      </DialogSurface>
    </Dialog>
  );
}
