import {
  Button,
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  SearchBox,
} from '@fluentui/react-components';
import { ArrowLeftRegular, DismissRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { MenuNode } from '../../../descriptor/types.ts';
import { menu } from '../../api/screens.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { cardGroup } from './card_group.ts';
import { menuEntries } from './menu_tree.ts';
import styles from './card_menu.module.css';

/** Phone: the menu as cards, two per row, with a search at the top. */
export default function CardMenu({ onClose }: { onClose: () => void }) {
  const { tree } = menu.use();
  const [query, setQuery] = useState('');
  const [way, setWay] = useState<string[]>(() => {
    const start = cardGroup.get();
    return start ? [start] : [];
  });

  const group = way.reduce<MenuNode | undefined>(
    (above, code) => (above?.children ?? tree).find((node) => node.code === code) ?? above,
    undefined,
  );
  const wanted = query.trim().toLowerCase();
  const nodes: MenuNode[] = wanted
    ? menuEntries(tree)
        .map(({ node }) => node)
        .filter((node) => node.name.toLowerCase().includes(wanted))
    : (group?.children ?? tree);

  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface className={styles.surface}>
        <DialogBody className={styles.body}>
          <DialogTitle
            action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
          >
            <span className={styles.title}>
              {way.length > 0 && !wanted && (
                <Button
                  appearance="subtle"
                  icon={<ArrowLeftRegular />}
                  aria-label="Back"
                  onClick={() => setWay((old) => old.slice(0, -1))}
                />
              )}
              {wanted ? 'Menu' : (group?.name ?? 'Menu')}
            </span>
          </DialogTitle>
          <DialogContent>
            <SearchBox
              className={styles.search}
              size="large"
              placeholder="Search the menu"
              aria-label="Search the menu"
              value={query}
              onChange={(_, data) => setQuery(data.value)}
            />
            <ul className={styles.cards}>
              {nodes.map((node) => (
                <li key={node.code}>
                  {node.children?.length ? (
                    <button type="button" className={styles.card} onClick={() => setWay((old) => [...old, node.code])}>
                      <MenuIcon name={node.icon} fallback="Folder" />
                      <span>{node.name}</span>
                      <small>
                        {node.subtitle && `${node.subtitle} · `}
                        {menuEntries(node.children).length} pages
                      </small>
                    </button>
                  ) : node.route && !node.disabled ? (
                    <Link
                      to={node.route}
                      className={styles.card}
                      onClick={onClose}
                      {...(node.newTab && { target: '_blank', rel: 'noopener' })}
                    >
                      <MenuIcon name={node.icon} />
                      <span>{node.name}</span>
                    </Link>
                  ) : (
                    <span className={styles.card} aria-disabled title={node.disabled}>
                      <MenuIcon name={node.icon} />
                      <span>{node.name}</span>
                      {node.disabled && <small>{node.disabled}</small>}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {nodes.length === 0 && <p className={styles.none}>No menu entry matches “{query.trim()}”.</p>}
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
