import { Button } from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatLongDate } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { addDays, addMonths } from '../../../domain/dashboard_span.ts';
import { columnsOf, exactText, figureText, leadsTo } from './tile_view.ts';
import styles from './dashboard.module.css';

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** The weeks of a month, from Monday; days of other months are null. */
function weeksOf(first: string): (string | null)[][] {
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const count = Number(addDays(addMonths(first, 1), -1).slice(8));
  const days = [
    ...Array.from({ length: before }, () => null),
    ...Array.from({ length: count }, (_, at) => addDays(first, at)),
  ];
  const weeks: (string | null)[][] = [];
  for (let at = 0; at < days.length; at += 7)
    weeks.push(Array.from({ length: 7 }, (_, weekday) => days[at + weekday] ?? null));
  return weeks;
}

/** A month of days, each with its figure. */
export function TileCalendar({ tile, answer, landing }: { tile: Tile; answer: TileAnswer; landing: string | null }) {
  const [first, setFirst] = useState(`${today().slice(0, 7)}-01`);
  const { names, figures } = columnsOf(answer);
  const [day, figure] = [names[0]!, figures[0]!];
  const rows = new Map((answer.figures?.rows ?? []).map((row) => [String(row[day.name]), row]));
  const month = formatLongDate(first).slice(3);
  return (
    <div className={styles.month}>
      <div className={styles.monthHead}>
        <Button
          appearance="subtle"
          size="small"
          icon={<ChevronLeftRegular />}
          aria-label="Previous month"
          onClick={() => setFirst(addMonths(first, -1))}
        />
        <span aria-live="polite">{month}</span>
        <Button
          appearance="subtle"
          size="small"
          icon={<ChevronRightRegular />}
          aria-label="Next month"
          onClick={() => setFirst(addMonths(first, 1))}
        />
      </div>
      <table className={styles.days} aria-label={`${tile.title}, ${month}`}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(first).map((week, at) => (
            <tr key={at}>
              {week.map((one, weekday) => {
                if (one === null) return <td key={weekday}>&nbsp;</td>;
                const row = rows.get(one);
                const to = row ? leadsTo(tile, answer, landing, row, figure.name) : null;
                const words = row ? `${formatLongDate(one)}: ${exactText(figure, row[figure.name])}` : undefined;
                return (
                  <td key={weekday} data-today={one === today() || undefined} data-some={row ? '' : undefined}>
                    <span className={styles.date}>{Number(one.slice(8))}</span>
                    {row &&
                      (to === null ? (
                        <span title={words}>{figureText(figure, row[figure.name])}</span>
                      ) : (
                        <Link to={to} aria-label={words}>
                          {figureText(figure, row[figure.name])}
                        </Link>
                      ))}
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
