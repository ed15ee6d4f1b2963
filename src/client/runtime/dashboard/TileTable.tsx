import { Link } from 'react-router-dom';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { FieldValue } from '../fields/display.tsx';
import { columnsOf, exactText, leadsTo, nameOf } from './tile_view.ts';
import cards from '../phone_cards.module.css';
import styles from './dashboard.module.css';

/** With more columns, each row is a card on a phone. */
const FEW_COLUMNS = 3;

/** The figures of a chart as a table; each figure leads where its part of the chart does, a row without figures by its first column, and a cell with its own address there. */
export function TileTable({ tile, answer, landing }: { tile: Tile; answer: TileAnswer; landing: string | null }) {
  const { names, figures } = columnsOf(answer);
  const columns = [...names, ...figures];
  const isWide = columns.length > FEW_COLUMNS;
  const hasOwnAddress = answer.opens === undefined && tile.opens?.includes('/:') === true;
  return (
    <div className={styles.tableFrame} tabIndex={0} role="region" aria-label={`Table: ${tile.title}`}>
      <table className={isWide ? `${styles.table} ${cards.cards}` : styles.table} data-cards={isWide || undefined}>
        <thead>
          <tr>
            {columns.map(({ name, title }) => (
              <th key={name} scope="col" data-figure={figures.some((one) => one.name === name) || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(answer.figures?.rows ?? []).map((row, at) => (
            <tr key={at}>
              {names.map((column, place) => {
                const text = nameOf(column, row, tile.kind === 'list' ? '–' : undefined);
                const own = row[`${column.name}__to`];
                const to =
                  typeof own === 'string'
                    ? own
                    : place === 0 && (figures.length === 0 || hasOwnAddress)
                      ? leadsTo(tile, answer, landing, row)
                      : null;
                return (
                  <th
                    key={column.name}
                    scope="row"
                    data-type={column.type}
                    data-title={column.title}
                    data-empty={text === '–' || text === '' || undefined}
                  >
                    {to !== null ? (
                      <Link to={to}>{text}</Link>
                    ) : column.type === 'enum' && text !== '–' ? (
                      <FieldValue field={column} value={row[column.name]} record={row} plain />
                    ) : (
                      text
                    )}
                  </th>
                );
              })}
              {figures.map((column) => {
                const text = exactText(column, row[column.name]);
                const to = leadsTo(tile, answer, landing, row, column.name);
                return (
                  <td key={column.name} data-title={column.title}>
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
