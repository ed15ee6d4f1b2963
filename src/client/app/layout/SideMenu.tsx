import { Button } from '@fluentui/react-components';
import { ChevronRightRegular, PinOffRegular, PinRegular } from '@fluentui/react-icons';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { MenuNode } from '../../../descriptor/types.ts';
import { menu } from '../../api/screens.ts';
import { menuPinned } from '../preferences.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { holdsActive, isActive } from './menu_tree.ts';
import styles from './layout.module.css';

/** A resting pointer opens the menu, a passing one does not; leaving it briefly keeps it open. */
const [OPENS_MS, CLOSES_MS] = [250, 350];

/**
 * The menu beside the page: 48 px of icons that open on hover or focus; pinned, it stays open. Opening moves no icon:
 * each row stays under the pointer, so groups are collapsed until the person opens one. If pinned, the group of the
 * page is open.
 */
export function SideMenu() {
  const { tree, loaded } = menu.use();
  const { pathname } = useLocation();
  const pinned = menuPinned.use();
  const [near, setNear] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const open = pinned || near;

  // If pinned, the active entry's groups are open, and groups the person opened stay open.
  useEffect(() => {
    if (pinned) setOpened((old) => new Set([...old, ...activeGroups(tree, pathname)]));
  }, [tree, pathname, pinned]);
  useEffect(() => {
    if (!open) setOpened(new Set());
  }, [open]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const toggle = (code: string, to?: boolean) => {
    setOpened((old) => {
      const next = new Set(old);
      if (to ?? !next.has(code)) next.add(code);
      else next.delete(code);
      return next;
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const item = items[at];
    if (!item) return;
    const code = item.dataset.code ?? '';
    const group = item.hasAttribute('aria-expanded');
    const focus = (target: HTMLElement | undefined) => {
      if (!target) return;
      event.preventDefault();
      target.focus();
    };
    if (event.key === 'ArrowDown') focus(items[at + 1]);
    else if (event.key === 'ArrowUp') focus(items[at - 1]);
    else if (event.key === 'Home') focus(items[0]);
    else if (event.key === 'End') focus(items.at(-1));
    else if (event.key === 'ArrowRight' && group) {
      event.preventDefault();
      if (item.getAttribute('aria-expanded') === 'false') toggle(code, true);
      else focus(items[at + 1]);
    } else if (event.key === 'ArrowLeft') {
      event.preventDefault();
      if (group && item.getAttribute('aria-expanded') === 'true') toggle(code, false);
      else focus(items.slice(0, at).findLast((other) => Number(other.ariaLevel) < Number(item.ariaLevel)));
    } else if (event.key === 'Escape') {
      setNear(false);
    } else if (event.key.length === 1 && /\S/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const wanted = event.key.toLowerCase();
      focus(
        [...items.slice(at + 1), ...items.slice(0, at)].find((other) =>
          other.textContent?.trim().toLowerCase().startsWith(wanted),
        ),
      );
    }
  };

  return (
    <nav
      className={styles.side}
      aria-label="Menu"
      data-open={open || undefined}
      data-pinned={pinned || undefined}
      onPointerEnter={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setNear(true), OPENS_MS);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setNear(false), CLOSES_MS);
      }}
      onFocus={() => setNear(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setNear(false);
      }}
    >
      <div className={styles.sideInner}>
        <ul role="tree" aria-label="Pages" ref={list} className={styles.tree} onKeyDown={onKeyDown} aria-busy={!loaded}>
          {tree.map((node, index) => (
            <TreeEntry
              key={node.code}
              node={node}
              level={1}
              path={pathname}
              open={open}
              opened={opened}
              toggle={toggle}
              first={index === 0}
            />
          ))}
        </ul>
        <div className={styles.pin}>
          <Button
            appearance="subtle"
            size="small"
            icon={pinned ? <PinOffRegular /> : <PinRegular />}
            aria-pressed={pinned}
            aria-label={pinned ? 'Unpin the menu' : 'Keep the menu open'}
            title={pinned ? 'Unpin the menu' : 'Keep the menu open'}
            onClick={() => menuPinned.set(!pinned)}
          />
        </div>
      </div>
    </nav>
  );
}

function activeGroups(tree: MenuNode[], path: string): string[] {
  return tree.flatMap((node) =>
    node.children && holdsActive(node, path) ? [node.code, ...activeGroups(node.children, path)] : [],
  );
}

interface TreeEntryProps {
  node: MenuNode;
  level: number;
  path: string;
  open: boolean;
  opened: ReadonlySet<string>;
  toggle: (code: string) => void;
  /** The first entry is the tab stop if no other is active. */
  first?: boolean;
}

function TreeEntry({ node, level, path, open, opened, toggle, first = false }: TreeEntryProps) {
  const group = (node.children ?? []).length > 0;
  const expanded = group && open && opened.has(node.code);
  const active = !group && isActive(node.route, path);
  const marked = active || (group && !expanded && holdsActive(node, path));
  const common = {
    role: 'treeitem',
    'aria-level': level,
    'data-code': node.code,
    'data-active': marked || undefined,
    title: node.disabled ?? (open ? undefined : node.name),
    tabIndex: marked || first ? 0 : -1,
    className: styles.entry,
    style: { paddingInlineStart: level === 1 ? 14 : 32 + (level - 1) * 16 },
  };
  const words = (
    <>
      {level === 1 && <MenuIcon name={node.icon} fallback="Folder" />}
      <span className={styles.entryName}>
        {node.name}
        {node.subtitle && <small className={styles.subtitle}>{node.subtitle}</small>}
      </span>
    </>
  );
  return (
    <li role="none">
      {group ? (
        <button type="button" {...common} aria-expanded={expanded} onClick={() => toggle(node.code)}>
          {words}
          <ChevronRightRegular className={styles.chevron} data-turned={expanded || undefined} aria-hidden />
        </button>
      ) : node.route && !node.disabled ? (
        <Link
          to={node.route}
          {...common}
          {...(node.newTab && { target: '_blank', rel: 'noopener' })}
          {...(active && { 'aria-current': 'page' as const })}
        >
          {words}
        </Link>
      ) : (
        <span {...common} aria-disabled>
          {words}
        </span>
      )}
      {expanded && (
        <ul role="group">
          {node.children?.map((child) => (
            <TreeEntry
              key={child.code}
              node={child}
              level={level + 1}
              path={path}
              open={open}
              opened={opened}
              toggle={toggle}
            />
          ))}
        </ul>
      )}
    </li>
  );
}
