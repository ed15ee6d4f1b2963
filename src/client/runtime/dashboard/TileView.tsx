import { Button } from '@fluentui/react-components';
import { DataBarVerticalRegular, TableRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { Skeleton } from '../../app/page.tsx';
import { TileCalendar } from './TileCalendar.tsx';
import { TileHeat } from './TileHeat.tsx';
import { TileList } from './TileList.tsx';
import { TileSearch } from './TileSearch.tsx';
import { TileTable } from './TileTable.tsx';
import type { TileProps } from './FigureTile.tsx';
import { AS_OF_TODAY, FigureTile, Problem, useLanding } from './FigureTile.tsx';
import { isEmpty, leadsTo } from './tile_view.ts';
import { widgetOf } from './widgets.ts';
import styles from './dashboard.module.css';

const TileChart = lazy(() => import('./TileChart.tsx'));

/** Kinds that are drawn, and so have a table beside them. */
const DRAWN = new Set(['gauge', 'line', 'bar', 'donut', 'funnel', 'waterfall', 'treemap']);

/** One tile of a dashboard in any of its states. */
export function TileView(props: TileProps) {
  return props.tile.kind === 'figure' ? <FigureTile {...props} /> : <BoxTile {...props} />;
}

function BoxTile({ tile, answer, onAgain }: TileProps) {
  const heading = useId();
  const landing = useLanding(tile);
  const [table, setTable] = useState(false);
  const drawn = DRAWN.has(tile.kind) && answer?.figures !== undefined && !isEmpty(tile, answer);
  return (
    <section className={styles.box} aria-labelledby={heading} aria-busy={!answer}>
      <header className={styles.head}>
        <h2 id={heading}>{tile.title}</h2>
        {drawn && (
          <Button
            appearance="subtle"
            size="small"
            icon={table ? <DataBarVerticalRegular /> : <TableRegular />}
            aria-label={table ? `${tile.title} as a chart` : `${tile.title} as a table`}
            title={table ? 'As a chart' : 'As a table'}
            onClick={() => setTable(!table)}
          />
        )}
      </header>
      {answer?.now && <p className={styles.today}>{AS_OF_TODAY}</p>}
      {tile.note !== undefined && <p className={styles.small}>{tile.note}</p>}
      {!answer ? (
        <Skeleton rows={5} label={`Loading ${tile.title}`} />
      ) : answer.problem !== undefined ? (
        <Problem text={answer.problem} title={tile.title} onAgain={onAgain} />
      ) : isEmpty(tile, answer) ? (
        <p className={styles.nothing}>{tile.empty ?? answer.figures?.note ?? 'There is nothing to show.'}</p>
      ) : (
        <Content tile={tile} answer={answer} landing={landing} table={table} onAgain={onAgain} />
      )}
      {answer?.figures?.note !== undefined && !isEmpty(tile, answer) && (
        <p className={styles.small}>{answer.figures.note}</p>
      )}
    </section>
  );
}

function Content({
  tile,
  answer,
  landing,
  table,
  onAgain,
}: {
  tile: Tile;
  answer: TileAnswer;
  landing: string | null;
  table: boolean;
  onAgain: () => void;
}) {
  const navigate = useNavigate();
  if (tile.kind === 'widget') {
    const Widget = widgetOf(tile.widget!);
    return (
      <Suspense fallback={<Skeleton rows={5} label={`Loading ${tile.title}`} />}>
        <Widget tile={tile} data={answer.widget} again={onAgain} />
      </Suspense>
    );
  }
  if (tile.kind === 'search') return <TileSearch tile={tile} />;
  if (answer.list) return <TileList tile={tile} list={answer.list} answer={answer} landing={landing} />;
  if (tile.kind === 'list' || table) return <TileTable tile={tile} answer={answer} landing={landing} />;
  if (tile.kind === 'heat') return <TileHeat tile={tile} answer={answer} landing={landing} />;
  if (tile.kind === 'calendar') return <TileCalendar tile={tile} answer={answer} landing={landing} />;
  const leads = leadsTo(tile, answer, landing) !== null;
  return (
    <Suspense fallback={<div className={styles.chart} data-kind={tile.kind} aria-hidden />}>
      <TileChart
        tile={tile}
        answer={answer}
        onPick={
          leads
            ? ({ row, measure }) => {
                const to = leadsTo(tile, answer, landing, row, measure);
                if (to !== null) void navigate(to);
              }
            : null
        }
      />
    </Suspense>
  );
}
