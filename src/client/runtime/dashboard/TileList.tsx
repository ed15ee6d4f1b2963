import { Link } from 'react-router-dom';
import { formatNumber } from '../../../descriptor/format.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { useScreenRef } from '../../api/screens.ts';
import { cellText } from '../landing/cell_text.ts';
import { leadsTo } from './tile_view.ts';
import styles from './dashboard.module.css';

/** Lines of a list: each leads to its record, and below them a line to all. */
export function TileList({
  tile,
  list,
  answer,
  landing,
}: {
  tile: Tile;
  list: NonNullable<TileAnswer['list']>;
  answer: TileAnswer;
  landing: string | null;
}) {
  const ref = useScreenRef(tile.list!.type);
  const route = ref?.rights.view_screen ? ref.routes.view : ref?.rights.edit_screen ? ref.routes.edit : null;
  const [first, ...rest] = list.columns as [Field, ...Field[]];
  const all = leadsTo(tile, answer, landing);
  const title = (row: WireRecord) => (first && cellText(first, row)) || `Number ${row.id}`;
  return (
    <>
      <ul className={styles.lines}>
        {list.rows.map((row) => {
          const to = route?.replace(/:\w+/, String(row.id)) ?? null;
          return (
            <li key={row.id}>
              {to === null ? <span>{title(row)}</span> : <Link to={to}>{title(row)}</Link>}
              <span className={styles.small}>
                {rest
                  .map((field) => cellText(field, row))
                  .filter((text) => text !== '')
                  .join(' · ')}
              </span>
            </li>
          );
        })}
      </ul>
      {all !== null && list.count !== null && list.count > list.rows.length && (
        <Link className={styles.all} to={all}>
          All {formatNumber(list.count)}
          {list.capped && '+'}
        </Link>
      )}
    </>
  );
}
