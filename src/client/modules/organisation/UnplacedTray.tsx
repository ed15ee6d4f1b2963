import type { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import styles from './org_chart.module.css';

/** People who have no place in the chart, with the reason; a new manager gives them one. */
export function UnplacedTray({
  tree,
  selected,
  onSelect,
}: {
  tree: ChartTree;
  selected: number | null;
  onSelect: (id: number) => void;
}) {
  if (tree.unplaced.length === 0) return null;
  return (
    <section className={styles.tray} aria-label="Unplaced">
      <h2>Unplaced</h2>
      <ul>
        {tree.unplaced.map((id) => {
          const below = tree.headCount(id) - 1;
          return (
            <li key={id}>
              <button type="button" className={styles.link} aria-pressed={id === selected} onClick={() => onSelect(id)}>
                <span>
                  {tree.people.get(id)!.name}
                  {below > 0 && `, with ${below} below`}
                </span>
                <span className={styles.faint}>{tree.whyUnplaced(id)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
