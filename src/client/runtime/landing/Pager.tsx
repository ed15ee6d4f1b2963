import { formatNumber } from '../../../descriptor/format.ts';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { pageSizes } from './list_address.ts';
import styles from './landing.module.css';
import type { Count } from './list_calls.ts';

/** Page by page, for people who want to know their position. */
export default function Pager({
  page,
  size,
  rows,
  more,
  count,
  onPage,
  onSize,
}: {
  page: number;
  size: number;
  rows: number;
  more: boolean;
  count: Count | null;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}) {
  const start = (page - 1) * size;
  const pages = count && !count.capped ? Math.max(1, Math.ceil(count.count / size)) : null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <label>
        Rows a page{' '}
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {pageSizes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <span className={styles.push} aria-live="polite">
        {rows === 0 ? 'No rows' : `${formatNumber(start + 1)} to ${formatNumber(start + rows)}`}
      </span>
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeftRegular />
      </button>
      <span>
        Page {page}
        {pages !== null && ` of ${formatNumber(pages)}`}
      </span>
      <button type="button" aria-label="Next page" disabled={!more} onClick={() => onPage(page + 1)}>
        <ChevronRightRegular />
      </button>
    </nav>
  );
}
