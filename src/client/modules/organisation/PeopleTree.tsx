import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import type { Layer } from './chart_layers.ts';
import styles from './org_chart.module.css';

interface Line {
  id: number;
  level: number;
  place: number;
  siblings: number;
  /** Null = no reportees. */
  open: boolean | null;
}

function linesOf(tree: ChartTree, open: ReadonlySet<number>): Line[] {
  const lines: Line[] = [];
  const walk = (ids: readonly number[], level: number) => {
    for (const [at, id] of ids.entries()) {
      const below = tree.below(id);
      const isOpen = below.length === 0 ? null : open.has(id);
      lines.push({ id, level, place: at + 1, siblings: ids.length, open: isOpen });
      if (isOpen) walk(below, level + 1);
    }
  };
  walk(tree.roots, 1);
  return lines;
}

/**
 * The chart as a tree for keyboards and screen readers: arrows move, expand and collapse; Enter shows the person, M
 * changes the manager, Ctrl+X cuts the person and Ctrl+V pastes them below the current one.
 */
export function PeopleTree({
  tree,
  open,
  layer,
  selected,
  onSelect,
  onToggle,
  moves,
}: {
  tree: ChartTree;
  open: ReadonlySet<number>;
  layer: Layer;
  selected: number | null;
  onSelect: (id: number) => void;
  onToggle: (id: number) => void;
  /** Null = the user may not move people. */
  moves: {
    cut: number | null;
    onCut: (id: number | null) => void;
    onPaste: (id: number, manager: number) => void;
    onMove: (id: number) => void;
  } | null;
}) {
  const lines = useMemo(() => linesOf(tree, open), [tree, open]);
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer returns new lines on each scroll: nothing is memoised
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    overscan: 10,
    getItemKey: (index) => lines[index]!.id,
  });
  const current = Math.max(
    0,
    lines.findIndex(({ id }) => id === selected),
  );
  useEffect(() => {
    if (lines.length > 0) rows.scrollToIndex(current, { align: 'auto' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it runs only when the selected line changes
  }, [current]);

  const key = (event: React.KeyboardEvent) => {
    const line = lines[current];
    if (!line) return;
    const go = (at: number) => {
      const next = lines[Math.min(lines.length - 1, Math.max(0, at))];
      if (next) onSelect(next.id);
    };
    const acts: Record<string, () => void> = {
      ArrowDown: () => go(selected === null ? 0 : current + 1),
      ArrowUp: () => go(current - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => (line.open === false ? onToggle(line.id) : line.open === true ? go(current + 1) : undefined),
      ArrowLeft: () =>
        line.open === true
          ? onToggle(line.id)
          : go(lines.findLastIndex((one, at) => at < current && one.level < line.level)),
      Enter: () => onSelect(line.id),
      m: () => moves?.onMove(line.id),
      M: () => moves?.onMove(line.id),
      Escape: () => moves?.onCut(null),
    };
    const withControl: Record<string, () => void> = {
      x: () => tree.people.get(line.id)!.wanted === 0 && moves?.onCut(line.id),
      v: () => moves && moves.cut !== null && moves.onPaste(moves.cut, line.id),
    };
    const act = event.ctrlKey || event.metaKey ? withControl[event.key.toLowerCase()] : acts[event.key];
    if (!act || event.altKey) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label="People by manager"
      tabIndex={0}
      aria-activedescendant={selected === null ? undefined : `person-${selected}`}
      onKeyDown={key}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]!;
          const person = tree.people.get(line.id)!;
          const said = layer.text(person, tree);
          return (
            // The tree itself has the focus and its keys; a click does what Enter does.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree itself handles the keys
            <div
              key={line.id}
              id={`person-${line.id}`}
              role="treeitem"
              tabIndex={-1}
              className={styles.line}
              style={{ top: start, paddingLeft: 8 + (line.level - 1) * 16 }}
              aria-level={line.level}
              aria-posinset={line.place}
              aria-setsize={line.siblings}
              aria-selected={line.id === selected}
              {...(line.open !== null && { 'aria-expanded': line.open })}
              onClick={() => onSelect(line.id)}
            >
              {line.open === null ? (
                <span className={styles.opener} />
              ) : (
                <button
                  type="button"
                  tabIndex={-1}
                  className={styles.opener}
                  aria-label={line.open ? `Close ${person.name}` : `Open ${person.name}`}
                  onClick={(event) => {
                    event.stopPropagation();
                    onToggle(line.id);
                  }}
                >
                  {line.open ? '▾' : '▸'}
                </button>
              )}
              <span className={styles.words}>
                <span>{person.wanted > 0 ? `Vacant: ${person.designation ?? ''}` : person.name}</span>
                <span className={styles.faint}>
                  {[moves?.cut === line.id ? 'Cut' : null, person.wanted > 0 ? null : person.designation, said]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
