import { Badge, Button } from '@fluentui/react-components';
import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatFixed } from '../../../descriptor/format.ts';
import type { ReporteeRow, ScoreRow, Scorecard } from '../../../domain/performance/scorecard.ts';
import { BandLabel } from './band_label.tsx';
import { Sparkline } from './sparkline.tsx';
import own from './scorecard.module.css';

/** The rows that are shown: those below an open one follow it. */
function shownRows(rows: readonly ReporteeRow[], open: ReadonlySet<number>) {
  const below = Map.groupBy(rows, ({ above }) => above);
  const walk = (above: number | null, level: number): { row: ReporteeRow; level: number; count: number }[] =>
    (below.get(above) ?? []).flatMap((row) => [
      { row, level, count: below.get(row.id)?.length ?? 0 },
      ...(open.has(row.id) ? walk(row.id, level + 1) : []),
    ]);
  return walk(null, 0);
}

/** Other scorecards of the period as a tree, each with its score, what waits and the way to it. */
export function ScoreTree({
  rows,
  card,
  title,
  first,
}: {
  rows: readonly ReporteeRow[];
  card: Pick<Scorecard, 'bands' | 'most' | 'decimals'>;
  title: string;
  /** The head of the first column. */
  first: string;
}) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const isTree = rows.some(({ above }) => above !== null);
  return (
    <table className={own.people} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Score</th>
          <th scope="col">Rating</th>
          <th scope="col">Last months</th>
          <th scope="col">Waiting</th>
        </tr>
      </thead>
      <tbody>
        {shownRows(rows, open).map(({ row, level, count }) => (
          <tr key={row.id} data-level={level}>
            <th scope="row">
              <span className={own.person} style={{ paddingLeft: `${level * 20}px` }}>
                {isTree &&
                  (count > 0 ? (
                    <Button
                      appearance="subtle"
                      size="small"
                      icon={open.has(row.id) ? <ChevronDownRegular /> : <ChevronRightRegular />}
                      aria-expanded={open.has(row.id)}
                      aria-label={`Reportees of ${row.name}`}
                      title={count === 1 ? 'One reportee' : `${count} reportees`}
                      onClick={() => toggle(row.id)}
                    />
                  ) : (
                    <span className={own.noBelow} />
                  ))}
                <span>
                  {row.to === null ? row.name : <Link to={row.to}>{row.name}</Link>}
                  {row.about !== null && <span className={own.faint}>{row.about}</span>}
                </span>
              </span>
            </th>
            <td data-title="Score" className={own.strong}>
              {row.score === null ? '–' : formatFixed(row.score, card.decimals)}
            </td>
            <td data-title="Rating">{row.band === null ? '–' : <BandLabel band={row.band} card={card} />}</td>
            <td data-title="Last months">
              <Sparkline values={row.past} title={`Scores of ${row.name}`} />
            </td>
            <td data-title="Waiting">
              <Waiting row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Waiting({ row }: { row: ScoreRow }) {
  if (row.isWithout) return <span className={own.faint}>No KPIs</span>;
  return (
    <span className={own.waiting}>
      {row.open > 0 ? (
        <Badge appearance="tint" color="warning">
          {row.open} to enter
        </Badge>
      ) : (
        <span className={own.faint}>All entered</span>
      )}
      {row.unacknowledged && (
        <Badge appearance="tint" color="important">
          Not acknowledged
        </Badge>
      )}
    </span>
  );
}
