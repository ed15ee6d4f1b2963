import { AddRegular, ChevronDownRegular, ChevronRightRegular, MoreHorizontalRegular } from '@fluentui/react-icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { cellText, fieldOf } from '../landing/cell_text.ts';
import type { TreeLine, TreeNode } from './tree_model.ts';
import styles from './tree.module.css';

/** A value shown for every node, in a separate column. */
export interface TreeFact {
  name: string;
  title: string;
  text: (node: TreeNode) => string;
}

export interface TreeViewProps {
  screen: Screen;
  /** Default: up to three columns of the list. */
  facts?: TreeFact[];
  lines: TreeLine[];
  /** The search results; the other lines are their ancestors. */
  hits: ReadonlySet<number> | null;
  phone: boolean;
  address: (node: TreeNode) => string | null;
  /** null = this person may not move nodes. */
  mayMove: ((id: number, parent: number | null) => boolean) | null;
  onOpen: (node: TreeNode, newTab: boolean) => void;
  onToggle: (node: TreeNode, open: boolean) => void;
  onAddBelow: ((node: TreeNode) => void) | null;
  /** The label of the add button; null = nothing can be added below this node. Default: "Add below". */
  addLabel?: (node: TreeNode) => string | null;
  onMenu: (node: TreeNode, target: HTMLElement) => void;
  onMove: (node: TreeNode, parent: TreeNode | null) => void;
}

/** The effect of a key in the tree: another line, or none. */
export function keyTarget(lines: TreeLine[], index: number, key: string): number | 'open' | 'close' | null {
  const line = lines[index];
  if (!line) return null;
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, lines.length - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return lines.length - 1;
    case 'ArrowRight':
      if (line.open === false) return 'open';
      return line.open === true ? index + 1 : null;
    case 'ArrowLeft': {
      if (line.open === true) return 'close';
      for (let one = index - 1; one >= 0; one -= 1) if ((lines[one]?.level ?? 0) < line.level) return one;
      return null;
    }
    default:
      return null;
  }
}

/** The lines of a hierarchy. One of them has the focus; arrow keys move it, Enter opens its record. */
export function TreeView(props: TreeViewProps) {
  const { screen, lines, hits, phone } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number | null>(null);
  // Used at once for drop targets; rendered a moment later.
  const carried = useRef<number | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | 'top' | null>(null);
  const typed = useRef({ text: '', at: 0 });

  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer gives new lines at each scroll: none is memoised
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (phone ? 48 : 36),
    overscan: 12,
    getItemKey: (index) => lines[index]?.node.id ?? index,
  });
  const found = lines.findIndex(({ node }) => node.id === current);
  const index = found < 0 ? 0 : found;
  const facts = props.facts ?? factsOf(screen);

  // A search focuses its first result.
  const focusFirst = useEffectEvent((among: ReadonlySet<number>) => {
    const first = lines.find(({ node }) => among.has(node.id));
    if (first) setCurrent(first.node.id);
  });
  useEffect(() => {
    if (hits) focusFirst(hits);
  }, [hits]);

  const go = (to: number) => {
    const line = lines[to];
    if (!line) return;
    setCurrent(line.node.id);
    rows.scrollToIndex(to);
  };
  const typeAhead = (key: string, time: number) => {
    const text = (time - typed.current.at < 800 ? typed.current.text : '') + key.toLowerCase();
    typed.current = { text, at: time };
    const start = text.length > 1 ? index : index + 1;
    for (let step = 0; step < lines.length; step += 1) {
      const place = (start + step) % lines.length;
      if (lines[place]?.node.label.toLowerCase().startsWith(text)) {
        go(place);
        return;
      }
    }
  };
  const keyDown = (event: React.KeyboardEvent) => {
    const line = lines[index];
    if (!line || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      props.onOpen(line.node, event.ctrlKey || event.metaKey);
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    const target = keyTarget(lines, index, event.key);
    if (target === null) {
      // "n" and "/" belong to the page.
      if (event.key.length === 1 && !'n/ '.includes(event.key)) typeAhead(event.key, event.timeStamp);
      return;
    }
    event.preventDefault();
    if (target === 'open' || target === 'close') props.onToggle(line.node, target === 'open');
    else go(target);
  };

  const byId = (id: number | null) => lines.find(({ node }) => node.id === id)?.node;
  const drop = (parent: TreeNode | null) => {
    const node = byId(carried.current);
    carried.current = null;
    setDragged(null);
    setOver(null);
    if (node && props.mayMove?.(node.id, parent?.id ?? null)) props.onMove(node, parent);
  };
  const allow = (event: React.DragEvent, parent: number | null) => {
    if (carried.current === null || !props.mayMove?.(carried.current, parent)) return;
    event.preventDefault();
    setOver(parent ?? 'top');
  };

  const active = lines[index];
  return (
    <div className={styles.frame}>
      {dragged !== null && props.mayMove?.(dragged, null) && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping has its keyboard way through the record's own form
        <div
          className={styles.top}
          data-over={over === 'top' ? '' : undefined}
          onDragOver={(event) => allow(event, null)}
          onDragLeave={() => setOver(null)}
          onDrop={() => drop(null)}
        >
          Drop here to put it at the top
        </div>
      )}
      <div className={styles.box}>
        {!phone && facts.length > 0 && (
          // Visual only: for a screen reader a tree item is its name.
          <div className={styles.heads} aria-hidden>
            <span className={styles.headName}>{screen.title}</span>
            {facts.map((fact) => (
              <span key={fact.name} className={styles.fact} title={fact.title}>
                {fact.title}
              </span>
            ))}
            <span className={styles.actions} data-count={props.onAddBelow ? 2 : 1} />
          </div>
        )}
        <div
          ref={scroller}
          className={styles.tree}
          role="tree"
          tabIndex={0}
          aria-label={screen.plural}
          aria-activedescendant={active ? lineId(active.node) : undefined}
          onKeyDown={keyDown}
        >
          <div className={styles.space} style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const line = lines[item.index];
              if (!line) return null;
              const { node } = line;
              const to = props.address(node);
              const add = props.addLabel ? props.addLabel(node) : 'Add below';
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree itself takes the keys
                <div
                  key={item.key}
                  id={lineId(node)}
                  className={styles.line}
                  role="treeitem"
                  tabIndex={-1}
                  aria-level={line.level}
                  aria-posinset={line.place}
                  aria-setsize={line.siblings}
                  aria-selected={item.index === index}
                  aria-label={[
                    node.label,
                    node.detail,
                    node.children_count > 0 && String(node.children_count),
                    ...(phone ? [] : facts.map((fact) => fact.text(node))),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                  {...(line.open !== null && { 'aria-expanded': line.open })}
                  data-dim={hits && !hits.has(node.id) ? '' : undefined}
                  data-over={over === node.id ? '' : undefined}
                  data-dragged={dragged === node.id ? '' : undefined}
                  style={{ height: item.size, transform: `translateY(${item.start}px)` }}
                  draggable={props.mayMove !== null && !phone}
                  onClick={() => {
                    setCurrent(node.id);
                    // The tree itself holds the focus; a line scrolled out of view would lose it.
                    if (document.activeElement?.id === lineId(node)) scroller.current?.focus();
                  }}
                  onDoubleClick={() => props.onOpen(node, false)}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    event.dataTransfer.setData('text/plain', node.label);
                    // A page change during the start of a drag would end it at once.
                    carried.current = node.id;
                    setTimeout(() => setDragged(carried.current));
                  }}
                  onDragEnd={() => {
                    carried.current = null;
                    setDragged(null);
                    setOver(null);
                  }}
                  onDragOver={(event) => allow(event, node.id)}
                  onDragLeave={() => setOver(null)}
                  onDrop={() => drop(node)}
                >
                  <span className={styles.indent} style={{ width: (line.level - 1) * (phone ? 16 : 24) }} />
                  {line.open === null ? (
                    <span className={styles.toggle} />
                  ) : (
                    <button
                      type="button"
                      className={styles.toggle}
                      tabIndex={-1}
                      aria-label={line.open ? `Close ${node.label}` : `Open ${node.label}`}
                      onClick={() => props.onToggle(node, line.open === false)}
                    >
                      {line.open ? <ChevronDownRegular /> : <ChevronRightRegular />}
                    </button>
                  )}
                  <span className={styles.name}>
                    {to === null ? (
                      <b>{node.label}</b>
                    ) : (
                      <a
                        href={to}
                        tabIndex={-1}
                        draggable={false}
                        onClick={(event) => {
                          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                          event.preventDefault();
                          props.onOpen(node, false);
                        }}
                      >
                        {node.label}
                      </a>
                    )}
                    {/* The spaces are read, not seen: the name of a line is its words as they stand there. */}{' '}
                    {node.detail && <span className={styles.detail}>{node.detail}</span>}{' '}
                    {node.children_count > 0 && (
                      <span className={styles.count} title={`${node.children_count} right below`}>
                        {node.children_count}
                      </span>
                    )}
                  </span>{' '}
                  {!phone &&
                    facts.map((fact) => {
                      const text = fact.text(node);
                      return (
                        <Fragment key={fact.name}>
                          <span className={styles.fact} title={text === '' ? undefined : `${fact.title}: ${text}`}>
                            {text}
                          </span>{' '}
                        </Fragment>
                      );
                    })}
                  <span className={styles.actions}>
                    {props.onAddBelow &&
                      (add === null ? (
                        <span className={styles.noAction} />
                      ) : (
                        <button
                          type="button"
                          tabIndex={-1}
                          title={add}
                          aria-label={`${add} ${node.label}`}
                          onClick={() => props.onAddBelow?.(node)}
                        >
                          <AddRegular />
                        </button>
                      ))}
                    <button
                      type="button"
                      tabIndex={-1}
                      aria-label={`Actions for ${node.label}`}
                      onClick={(event) => props.onMenu(node, event.currentTarget)}
                    >
                      <MoreHorizontalRegular />
                    </button>
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function lineId(node: TreeNode): string {
  return `tree-${node.id}`;
}

/** Up to three columns beside the name: those of the list, except the name and the parent. */
function factsOf(screen: Screen): TreeFact[] {
  const inHead = new Set([...screen.label, screen.tree?.parent]);
  return screen.grid
    .filter((column) => !column.hidden && !inHead.has(column.field))
    .flatMap((column) => fieldOf(screen, column.field) ?? [])
    .filter((field) => !field.count)
    .slice(0, 3)
    .map((field) => ({ name: field.name, title: field.title, text: (node) => cellText(field, node) }));
}
