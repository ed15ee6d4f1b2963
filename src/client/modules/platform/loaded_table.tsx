import type { ComponentProps, ReactNode } from 'react';
import { EmptyState, ErrorView, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import styles from './rights.module.css';

/** A table of rows from the server, with its loading, error and empty states. `children`: renders a row. */
export function LoadedTable<T>({
  loaded: { data, error, mutate },
  columns,
  empty,
  children,
}: {
  loaded: { data: { data: T[] } | undefined; error: unknown; mutate: () => unknown };
  columns: ComponentProps<typeof TableHead>['columns'];
  empty: ComponentProps<typeof EmptyState>;
  children: (row: T) => ReactNode;
}) {
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.data.length === 0) return <EmptyState {...empty} />;
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={columns} />
        <tbody>{data.data.map(children)}</tbody>
      </table>
    </div>
  );
}
