import styles from './map.module.css';
import type { Sight } from './places.ts';
import { tilesOf } from './tiles.ts';

/** The map tiles below the places. Missing tiles show the grid. */
export function MapTiles({
  address,
  sight,
  width,
  height,
  onLoaded,
  onFailed,
}: {
  address: string;
  sight: Sight;
  width: number;
  height: number;
  onLoaded: () => void;
  onFailed: () => void;
}) {
  return (
    <div className={styles.tiles} aria-hidden>
      {tilesOf(sight, width, height, address).map(({ src, left, top, size }) => (
        <img
          key={src}
          src={src}
          alt=""
          draggable={false}
          decoding="async"
          // Tile servers require the site as referrer, but not the page.
          referrerPolicy="strict-origin"
          style={{ insetInlineStart: left, top, width: size, height: size }}
          onLoad={onLoaded}
          onError={(event) => {
            event.currentTarget.style.visibility = 'hidden';
            onFailed();
          }}
        />
      ))}
    </div>
  );
}
