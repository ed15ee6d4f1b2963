import styles from './map.module.css';
import type { Sight } from './places.ts';
import { tilesOf } from './tiles.ts';

/** The pictures of a map under its places. What is not loaded shows the grid behind it. */
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
          // Tile servers want to know which site asks; which page of it is none of their business.
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
