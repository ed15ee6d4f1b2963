import { GridRegular } from '@fluentui/react-icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../../descriptor/format.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import type { HeatMap } from '../../../../domain/performance/heat_map.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../heat_map.module.css';

const LETTERS = { red: 'R', amber: 'A', green: 'G', blue: 'B' } as const;
const NAMES = { red: 'Red', amber: 'Amber', green: 'Green', blue: 'Blue' } as const;
/** The height of a row in the style sheet, in pixels. */
const ROW = 32;

const titleOf = (key: string, name: string, byMonth: boolean): string =>
  byMonth ? `${monthNames[Number(key.slice(5, 7)) - 1]!.slice(0, 3)} ${key.slice(2, 4)}` : name;

/** A member; drawn once however often the map is scrolled. */
const MemberRow = memo(function MemberRow({
  row,
  at,
  columns,
}: {
  row: HeatMap['rows'][number];
  at: number;
  columns: HeatMap['columns'];
}) {
  return (
    <tr aria-rowindex={at + 2}>
      <th scope="row">
        <Link to={`/employee_scorecard?employee_id=${row.id}`} title={row.name}>
          {row.name}
        </Link>
      </th>
      {row.cells.map((cell, index) =>
        cell === null ? (
          <td key={columns[index]!.key}>–</td>
        ) : (
          <td key={columns[index]!.key} data-colour={cell.colour} title={NAMES[cell.colour]}>
            {`${LETTERS[cell.colour]} ${formatNumber(Number(cell.achievement), 0)}`}
          </td>
        ),
      )}
    </tr>
  );
});

/** Whether the page is being printed: then all rows are drawn. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const start = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', start);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', start);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/** The rows of the map; only those on screen are drawn, so that 300 members by 40 KPIs scroll smoothly. */
function MapTable({ map }: { map: HeatMap }) {
  const scroller = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer gives new rows at each scroll: none is memoised
  const virtual = useVirtualizer({
    count: map.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
    // Rendered in the next frame: immediate rendering would make a fast scroll wait for each step.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const shown = printing ? map.rows.map((_, index) => index) : items.map(({ index }) => index);
  const above = printing ? 0 : (items[0]?.start ?? 0);
  const below = printing ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={own.scroll} tabIndex={0} role="region" aria-label="Heat map">
      <table className={own.map} aria-rowcount={map.rows.length + 1}>
        <colgroup>
          <col className={own.member} />
          {map.columns.map(({ key }) => (
            <col key={key} className={own.column} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Member</th>
            {map.columns.map(({ key, name }) => (
              <th key={key} scope="col" title={titleOf(key, name, map.byMonth)}>
                <span>{titleOf(key, name, map.byMonth)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {shown.map((at) => (
            <MemberRow key={map.rows[at]!.id} row={map.rows[at]!} at={at} columns={map.columns} />
          ))}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

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
      <MapTable map={map} />
      <p className={own.note}>
        {map.shows === 'score'
          ? 'Score of each month, its KPIs by their weights'
          : 'Achievement in percent, computed of the actuals and targets of all months shown'}
        : R red, A amber, G green, B blue.
        {map.left > 0 && ` ${map.left} members more: choose a department or a branch.`}
      </p>
    </>
  );
}
