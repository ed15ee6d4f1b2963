import { ArrowRightRegular, MoreHorizontalRegular, PeopleRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { menu as screensOfMenu } from '../../api/screens.ts';
import styles from './landing.module.css';
import type { SavedView, Views } from './saved_views.ts';

const ViewMenu = lazy(() => import('./ViewMenu.tsx'));

/** Saved views as tabs; the first tab is the unfiltered list. */
export function ViewTabs({
  views,
  current,
  changed,
  onChoose,
  onSave,
}: {
  views: Views;
  current: SavedView | null;
  /** The list differs from the chosen view. */
  changed: boolean;
  onChoose: (view: SavedView | null) => void;
  onSave: () => void;
}) {
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const { screens } = screensOfMenu.use();
  const listOf = (type: string) => screens.find(({ name }) => name === type)?.routes.landing;
  const shown = views.views.filter(({ opens }) => opens === undefined || listOf(opens));
  if (shown.length === 0) return null;
  return (
    <div className={styles.tabs}>
      <div className={styles.tabList} role="tablist" aria-label="Saved views">
        <button type="button" role="tab" aria-selected={current === null} onClick={() => onChoose(null)}>
          All
        </button>
        {shown.map((view) => (
          <button
            key={view.id}
            type="button"
            role="tab"
            aria-selected={view.id === current?.id}
            onClick={() => (view.opens === undefined ? onChoose(view) : void navigate(listOf(view.opens)!))}
          >
            {view.name}
            {view.opens !== undefined && <ArrowRightRegular aria-hidden />}
            {view.id === current?.id && changed && <span title="Changed since it was saved"> •</span>}
            {view.shared && !view.id.startsWith('own-') && <PeopleRegular aria-label="Shared" />}
          </button>
        ))}
      </div>
      {current?.mine && (
        <button
          type="button"
          aria-label={`Change the view ${current.name}`}
          onClick={(event) => setMenu(event.currentTarget)}
        >
          <MoreHorizontalRegular />
        </button>
      )}
      {changed && current?.mine && (
        <button type="button" className={styles.tabSave} onClick={onSave}>
          Save changes
        </button>
      )}
      {menu && current && (
        <Suspense fallback={null}>
          <ViewMenu
            views={views}
            view={current}
            target={menu}
            onClose={() => setMenu(null)}
            onRemoved={() => onChoose(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
