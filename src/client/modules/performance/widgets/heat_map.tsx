import { GridRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../../descriptor/format.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import type { HeatMap } from '../../../../domain/performance/heat_map.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../heat_map.module.css';

const LETTERS = { red: 'R', amber: 'A', green: 'G', blue: 'B' } as const;
const NAMES = { red: 'Red', amber: 'Amber', green: 'Green', blue: 'Blue' } as const;

const titleOf = (key: string, name: string, byMonth: boolean): string =>
  byMonth ? `${monthNames[Number(key.slice(5, 7)) - 1]!.slice(0, 3)} ${key.slice(2, 4)}` : name;

/** Members by KPI or month; each cell shows its colour by a letter as well. */
export default function HeatMapWidget({ data }: WidgetProps) {
  const map = data as HeatMap;
  if (map.rows.length === 0)
    return (
      <EmptyState
        icon={<GridRegular />}
        title="There are no figures"
        text="The heat map needs approved updates of the chosen months. Choose other months or another department."
      />
    );
  return (
    <>
      <div className={own.scroll} tabIndex={0} role="region" aria-label="Heat map">
        <table className={own.map}>
          <thead>
            <tr>
              <th scope="col">Member</th>
              {map.columns.map(({ key, name }) => (
                <th key={key} scope="col">
                  {titleOf(key, name, map.byMonth)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {map.rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <Link to={`/employee_scorecard?employee_id=${row.id}`}>{row.name}</Link>
                </th>
                {row.cells.map((cell, at) =>
                  cell === null ? (
                    <td key={map.columns[at]!.key}>–</td>
                  ) : (
                    <td key={map.columns[at]!.key} data-colour={cell.colour} title={NAMES[cell.colour]}>
                      <abbr aria-label={NAMES[cell.colour]}>{LETTERS[cell.colour]}</abbr>{' '}
                      {formatNumber(Number(cell.achievement), 0)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={own.note}>
        Achievement in percent: R red, A amber, G green, B blue.
        {map.left > 0 && ` ${map.left} members more: choose a department or a branch.`}
      </p>
    </>
  );
}
