import { Button } from '@fluentui/react-components';
import { AddRegular, FullScreenMaximizeRegular, SubtractRegular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { WireRecord } from '../../../../descriptor/types.ts';
import styles from './map.module.css';
import type { Place, Sight } from './places.ts';
import { MapTiles } from './MapTiles.tsx';
import type { TileSource } from './tiles.ts';
import { ZOOMS, boxOf, distanceInWords, fromPixels, gridStep, metresPerPixel, sightOf, toPixels } from './places.ts';

/** How far an arrow key moves the map, in pixels. */
const STEP = 80;
const MOVES: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
/** The maximum number of markers with labels. */
const NAMED = 40;

/**
 * Places on a map, or on a grid of known width: moved by dragging or arrow keys, zoomed by the wheel, plus and minus.
 */
export function MapView({
  places,
  joined,
  chosen,
  label,
  address,
  onChoose,
  onMenu,
  onSight,
  tiles,
}: {
  places: readonly Place[];
  /** They are visited one after the other. */
  joined: boolean;
  chosen: number | null;
  label: string;
  address: (record: WireRecord) => string | null;
  onChoose: (id: number) => void;
  onMenu: (record: WireRecord, target: HTMLElement) => void;
  /** Called with the visible area after it changed; null: everything is loaded anyway. */
  onSight: ((box: string) => void) | null;
  /** Null: the grid alone. */
  tiles: TileSource | null;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 640, height: 480 });
  /** Null: fit all places. */
  const [moved, setMoved] = useState<Sight | null>(null);
  /** The success of loading the tiles since the last attempt. */
  const [loading, setLoading] = useState({ tried: 0, some: false, failed: false });
  const drag = useRef<{ x: number; y: number; from: Sight } | null>(null);
  const sight = moved ?? sightOf(places, width, height);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () =>
      element.clientWidth > 0 && setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!onSight || !moved) return;
    // After the last of many moves.
    const timer = setTimeout(() => onSight(boxOf(moved, width, height)), 300);
    return () => clearTimeout(timer);
  }, [onSight, moved, width, height]);

  const go = (from: Sight, x: number, y: number) => {
    const middle = toPixels(from, from.zoom);
    setMoved({ ...fromPixels({ x: middle.x + x, y: middle.y + y }, from.zoom), zoom: from.zoom });
  };
  const closer = (by: number) =>
    setMoved({ ...sight, zoom: Math.max(ZOOMS.min, Math.min(ZOOMS.max, sight.zoom + by)) });
  const middle = toPixels(sight, sight.zoom);
  const at = (place: Place) => {
    const { x, y } = toPixels(place, sight.zoom);
    return { x: x - middle.x + width / 2, y: y - middle.y + height / 2 };
  };
  const step = gridStep(sight);
  const gap = step / metresPerPixel(sight);
  const lines = (length: number, offset: number) =>
    Array.from({ length: Math.ceil(length / gap) + 1 }, (_, n) => n * gap - (offset % gap));
  const seen = places.filter((place) => {
    const { x, y } = at(place);
    return x > -20 && y > -20 && x < width + 20 && y < height + 20;
  });
  const ways = joined ? [...Map.groupBy(places, ({ lane }) => lane).values()] : [];
  return (
    <div
      ref={frame}
      className={styles.map}
      role="application"
      aria-label={`${label}: arrows move it, plus and minus bring it closer or farther`}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        const move = MOVES[event.key];
        if (move) go(sight, ...move);
        else if (event.key === '+' || event.key === '=') closer(1);
        else if (event.key === '-') closer(-1);
        else return;
        event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || (event.target as Element).closest('a, button')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY, from: sight };
      }}
      onPointerMove={(event) => {
        const { current } = drag;
        if (current) go(current.from, current.x - event.clientX, current.y - event.clientY);
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
      onWheel={(event) => closer(event.deltaY < 0 ? 0.5 : -0.5)}
    >
      <svg className={styles.lines} width={width} height={height} aria-hidden>
        {lines(width, middle.x - width / 2).map((x) => (
          <line key={`x${x}`} x1={x} x2={x} y1={0} y2={height} />
        ))}
        {lines(height, middle.y - height / 2).map((y) => (
          <line key={`y${y}`} x1={0} x2={width} y1={y} y2={y} />
        ))}
      </svg>
      {tiles && (
        <MapTiles
          key={loading.tried}
          address={tiles.address}
          sight={sight}
          width={width}
          height={height}
          onLoaded={() => setLoading((old) => (old.some ? old : { ...old, some: true }))}
          onFailed={() => setLoading((old) => (old.failed ? old : { ...old, failed: true }))}
        />
      )}
      <svg className={styles.lines} width={width} height={height} aria-hidden>
        {ways.map((way) => (
          <polyline
            key={way[0]!.lane}
            points={way
              .map(at)
              .map(({ x, y }) => `${x},${y}`)
              .join(' ')}
          />
        ))}
      </svg>
      <ul className={styles.places}>
        {seen.map((place) => {
          const { record, title, number, from, lane } = place;
          const { x, y } = at(place);
          const words = [title, lane, joined && from !== null && `${distanceInWords(from)} from the one before`]
            .filter(Boolean)
            .join(', ');
          const to = address(record);
          const mark = (
            <>
              <span className={styles.dot} aria-hidden>
                {joined ? number : ''}
              </span>
              {(seen.length <= NAMED || record.id === chosen) && <span className={styles.name}>{title}</span>}
            </>
          );
          return (
            <li
              key={record.id}
              data-chosen={record.id === chosen || undefined}
              data-flip={x > width * 0.7 || undefined}
              style={{ insetInlineStart: x, top: y }}
              onMouseEnter={() => onChoose(record.id)}
              onFocus={() => onChoose(record.id)}
              onContextMenu={(event) => {
                event.preventDefault();
                onMenu(record, event.currentTarget);
              }}
            >
              {to === null ? (
                <button type="button" aria-label={words} title={words}>
                  {mark}
                </button>
              ) : (
                <Link to={to} aria-label={words} title={words} draggable={false}>
                  {mark}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      <div className={styles.buttons}>
        <Button icon={<AddRegular />} aria-label="Closer" onClick={() => closer(1)} />
        <Button icon={<SubtractRegular />} aria-label="Farther" onClick={() => closer(-1)} />
        <Button icon={<FullScreenMaximizeRegular />} aria-label="All places" onClick={() => setMoved(null)} />
      </div>
      {tiles && loading.failed && (
        <div className={styles.notice} role="status">
          {loading.some
            ? 'Parts of the map could not be loaded.'
            : 'The map could not be loaded. Places are shown on a plain grid.'}
          <Button
            size="small"
            onClick={() => setLoading(({ tried }) => ({ tried: tried + 1, some: false, failed: false }))}
          >
            Try again
          </Button>
        </div>
      )}
      {tiles && loading.some && <p className={styles.attribution}>{tiles.attribution}</p>}
      <p className={styles.scale}>
        <span style={{ width: gap }} aria-hidden />
        {distanceInWords(step)}
        {!(tiles && loading.some) && ' a square'}
      </p>
    </div>
  );
}
