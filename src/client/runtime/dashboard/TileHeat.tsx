import { Link } from 'react-router-dom';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { columnsOf, exactText, figureText, leadsTo, matrixOf, numberOf } from './tile_view.ts';
import styles from './dashboard.module.css';

/** Two groups as a grid: the darker a cell, the greater its figure. */
export function TileHeat({ tile, answer, landing }: { tile: Tile; answer: TileAnswer; landing: string | null }) {
  const { x, series } = matrixOf(answer);
  const values = series.flatMap(({ column, cells }) => cells.map((row) => numberOf(row?.[column.name]) ?? 0));
  const max = Math.max(1, ...values);
  return (
    <div className={styles.tableFrame} tabIndex={0} role="region" aria-label={tile.title}>
      <table className={styles.heat}>
        <thead>
          <tr>
            <th scope="col">{columnsOf(answer).names[0]!.title}</th>
            {series.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.map(({ title }, at) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {series.map(({ title: other, column, cells }) => {
                const row = cells[at];
                if (!row) return <td key={other}>–</td>;
                const value = row[column.name];
                const to = leadsTo(tile, answer, landing, row, column.name);
                const text = figureText(column, value);
                return (
                  <td
                    key={other}
                    data-heat={Math.ceil((5 * (numberOf(value) ?? 0)) / max)}
                    title={exactText(column, value)}
                  >
                    {to === null ? text : <Link to={to}>{text}</Link>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
