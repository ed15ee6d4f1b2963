import { Button } from '@fluentui/react-components';
import { ArrowClockwiseRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { useScreenRef } from '../../api/screens.ts';
import { columnsOf, comparedText, exactText, figureText, leadsTo, numberOf } from './tile_view.ts';
import styles from './dashboard.module.css';

/** What a tile is shown with. */
export interface TileProps {
  tile: Tile;
  /** Undefined: it is on its way. */
  answer: TileAnswer | undefined;
  onAgain: () => void;
}

/** What a tile says whose earlier figures nobody knows, while the page is of an earlier month. */
export const AS_OF_TODAY = 'As of today';

/** The list behind a tile, if the reader may open it. */
export function useLanding({ report, list }: Tile): string | null {
  const ref = useScreenRef(report?.from?.type ?? list?.type ?? '');
  return ref?.rights.landing ? (ref.routes.landing ?? null) : null;
}

/** One figure, with what it is compared with; it leads to the list behind it. */
export function FigureTile({ tile, answer, onAgain }: TileProps) {
  const landing = useLanding(tile);
  const column = answer && columnsOf(answer).figures[0];
  if (answer?.problem !== undefined || (answer && !column))
    return (
      <div className={styles.figure} data-failed>
        <span className={styles.number}>–</span>
        <span>{tile.title}</span>
        <Problem text={answer.problem ?? 'There is no figure.'} title={tile.title} onAgain={onAgain} />
      </div>
    );
  const value = column && answer.figures?.rows[0]?.[column.name];
  const compared = answer && comparedText(value, answer.earlier);
  const to = answer ? leadsTo(tile, answer, landing) : null;
  const words = (
    <>
      <span className={styles.number} title={column && exactText(column, value)}>
        {column ? figureText(column, value) : '…'}
      </span>
      <span>{tile.title}</span>
      {answer?.now && <span className={styles.today}>{AS_OF_TODAY}</span>}
      {tile.note !== undefined && <span className={styles.small}>{tile.note}</span>}
      {answer?.figures?.note !== undefined && <span className={styles.small}>{answer.figures.note}</span>}
      {compared !== null && compared !== undefined && <span className={styles.small}>{compared}</span>}
    </>
  );
  const tone = column && numberOf(value) ? tile.tone : undefined;
  return to === null ? (
    <div className={styles.figure} data-tile={tile.title} data-tone={tone} aria-busy={!answer}>
      {words}
    </div>
  ) : (
    <Link className={styles.figure} data-tile={tile.title} data-tone={tone} to={to}>
      {words}
    </Link>
  );
}

/** Why a tile shows nothing, and the way out. */
export function Problem({ text, title, onAgain }: { text: string; title: string; onAgain: () => void }) {
  return (
    <div className={styles.problem} role="alert">
      <p>{text}</p>
      <Button size="small" icon={<ArrowClockwiseRegular />} aria-label={`Try again: ${title}`} onClick={onAgain}>
        Try again
      </Button>
    </div>
  );
}
