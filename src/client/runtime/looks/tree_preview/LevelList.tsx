import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { useScreen, useScreenRef } from '../../../api/screens.ts';
import { ErrorView, Skeleton } from '../../../app/page.tsx';
import { useSession } from '../../../app/session.ts';
import { recordLabel } from '../../landing/cell_text.ts';
import { useLookRows } from '../use_look_rows.ts';
import styles from './tree_preview.module.css';

/** The record in the preview. */
export interface Chosen {
  type: string;
  id: number;
}

interface Level {
  type: string;
  parent: string;
}

interface LevelProps {
  levels: readonly Level[];
  chosen: Chosen | null;
  onChoose: (chosen: Chosen) => void;
}

/** More than anybody reads below one record. */
const MAX_RECORDS = 500;

/** Records of one level; each can be opened to show those of the next. */
export function LevelList({
  screen,
  rows,
  levels,
  ...rest
}: LevelProps & { screen: Screen; rows: readonly WireRecord[] }) {
  return (
    <ul className={styles.level}>
      {rows.map((row) => (
        <Node key={row.id} screen={screen} row={row} levels={levels} {...rest} />
      ))}
    </ul>
  );
}

function Node({ screen, row, levels, chosen, onChoose }: LevelProps & { screen: Screen; row: WireRecord }) {
  const [open, setOpen] = useState(false);
  const [next, ...deeper] = levels;
  // The tree ends at types that this person may not open.
  const below = useScreenRef(next?.type ?? '');
  const mayOpen = next !== undefined && below?.rights.landing === true;
  const title = recordLabel(screen, row);
  const isChosen = chosen?.type === screen.name && chosen.id === row.id;
  return (
    <li>
      <div className={styles.node} data-chosen={isChosen || undefined}>
        {mayOpen && (
          <button
            type="button"
            className={styles.toggle}
            tabIndex={-1}
            aria-label={`${open ? 'Close' : 'Open'} ${title}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDownRegular /> : <ChevronRightRegular />}
          </button>
        )}
        <button
          type="button"
          className={styles.title}
          data-node
          {...(mayOpen && { 'aria-expanded': open })}
          {...(isChosen && { 'aria-current': 'true' as const })}
          onClick={() => onChoose({ type: screen.name, id: row.id })}
          onKeyDown={(event) => {
            if (!mayOpen || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
            event.preventDefault();
            setOpen(event.key === 'ArrowRight');
          }}
        >
          {title}
        </button>
      </div>
      {open && mayOpen && <Below level={next} id={row.id} levels={deeper} chosen={chosen} onChoose={onChoose} />}
    </li>
  );
}

/** The children of a record, loaded when it is opened. */
function Below({ level, id, ...rest }: LevelProps & { level: Level; id: number }) {
  const { screen } = useScreen(level.type);
  return screen ? <LoadedBelow screen={screen} level={level} id={id} {...rest} /> : <Skeleton rows={2} />;
}

function LoadedBelow({ screen, level, id, ...rest }: LevelProps & { screen: Screen; level: Level; id: number }) {
  const { entityId } = useSession();
  const { rows, more, error, refresh } = useLookRows({
    type: level.type,
    company: entityId,
    parameters: {},
    within: [level.parent, 'eq', id],
    columns: screen.label,
    sort: screen.sort,
    max: MAX_RECORDS,
  });
  if (error && !rows) return <ErrorView error={error} retry={refresh} />;
  if (!rows) return <Skeleton rows={2} />;
  if (rows.length === 0) return <p className={styles.none}>No {screen.plural.toLowerCase()}</p>;
  return (
    <>
      <LevelList screen={screen} rows={rows} {...rest} />
      {more && <p className={styles.none}>The first {MAX_RECORDS} are shown.</p>}
    </>
  );
}
