import {
  Button,
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  SearchBox,
} from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { screenRefs } from '../../api/screens.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { useSession } from '../session.ts';
import type { QuickTile } from './quick_tiles.ts';
import { quickTiles } from './quick_tiles.ts';
import styles from './quick_add.module.css';

/** The records that the user may add, from anywhere. */
export default function QuickAdd({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const tiles = quickTiles(screenRefs.use(), session);
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  // The dialog focuses its first button. On a phone a text field would open the keyboard over the choices.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) search.current?.focus();
  }, []);
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const show = (tile: QuickTile) => tile.label.toLowerCase().includes(wanted);
  const first = tiles.shortcuts.filter(show);
  const rest = tiles.others.filter(show);
  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle
            action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
          >
            Quick add
          </DialogTitle>
          <DialogContent>
            {tiles.others.length > 6 && (
              <SearchBox
                className={styles.search}
                placeholder="What do you want to add?"
                aria-label="What do you want to add?"
                input={{ ref: search }}
                value={query}
                onChange={(_, data) => setQuery(data.value)}
                onKeyDown={({ key }) => {
                  const found = [...first, ...rest].find(({ disabled }) => !disabled);
                  if (key !== 'Enter' || wanted === '' || !found) return;
                  onClose();
                  void navigate(found.to);
                }}
              />
            )}
            <Tiles tiles={first} onClose={onClose} />
            {first.length > 0 && rest.length > 0 && <h3 className={styles.heading}>More</h3>}
            <Tiles tiles={rest} onClose={onClose} />
            {first.length + rest.length === 0 && <p>Nothing to add matches “{query.trim()}”.</p>}
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Tiles({ tiles, onClose }: { tiles: QuickTile[]; onClose: () => void }) {
  return (
    <ul className={styles.tiles}>
      {tiles.map((tile) => (
        <li key={tile.to}>
          {tile.disabled ? (
            <span className={styles.tile} aria-disabled title={tile.disabled}>
              <MenuIcon name={tile.icon} />
              <span>{tile.label}</span>
              <small>{tile.disabled}</small>
            </span>
          ) : (
            <Link to={tile.to} className={styles.tile} onClick={onClose}>
              <MenuIcon name={tile.icon} />
              <span>{tile.label}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
