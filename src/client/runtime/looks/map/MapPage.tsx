import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/session.ts';
import type { PageProps } from '../../page_props.ts';
import { LookFrame } from '../LookFrame.tsx';
import { MoreNote } from '../MoreNote.tsx';
import { useLookActions, useLookParameters } from '../use_look.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { MapView } from './MapView.tsx';
import styles from './map.module.css';
import { distanceInWords, placesOf } from './places.ts';
import { useTiles } from './use_tiles.ts';

const MAX_RECORDS = 500;

/** The records of a list at their locations, and the routes between them. */
export default function MapPage(props: PageProps) {
  const { screen } = props;
  const { entityId } = useSession();
  const { at, order, lane } = screen.looks!.map!;
  const parameters = useLookParameters(screen);
  /** The visible area, after zooming in on more places than were loaded. */
  const [box, setBox] = useState<string | null>(null);
  const narrowed = useMemo(() => ({ ...parameters, ...(box !== null && { box }) }), [parameters, box]);
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: narrowed,
    within: [at, 'notempty'],
    columns: [at, order, lane, ...screen.label].filter((name) => name !== undefined),
    sort: lane === undefined && order === undefined ? screen.sort : [lane, order].filter((name) => name !== undefined),
    max: MAX_RECORDS,
  });
  const { actions, openMenu, overlays } = useLookActions(props, refresh);
  const tiles = useTiles();
  const [chosen, setChosen] = useState<number | null>(null);
  const places = useMemo(() => placesOf(screen, rows ?? []), [screen, rows]);
  const lanes = useMemo(() => [...Map.groupBy(places, (place) => place.lane)], [places]);
  return (
    <>
      <LookFrame
        {...props}
        look="map"
        count={rows?.length ?? null}
        more={more}
        empty={box === null}
        error={error}
        retry={refresh}
      >
        {more && <MoreNote shown={MAX_RECORDS} />}
        <div className={styles.frame}>
          <MapView
            places={places}
            joined={order !== undefined}
            chosen={chosen}
            label={`Map of ${screen.plural}`}
            address={actions.address}
            onChoose={setChosen}
            onMenu={openMenu}
            onSight={more || box !== null ? setBox : null}
            tiles={tiles}
          />
          <div className={styles.list}>
            {lanes.map(([name, held]) => (
              <section key={name} aria-label={name === '' ? 'Places' : name}>
                {lane !== undefined && (
                  <h3>
                    {name === '' ? 'No route' : name}
                    {order !== undefined && (
                      <span>{distanceInWords(held.reduce((sum, { from }) => sum + (from ?? 0), 0))}</span>
                    )}
                  </h3>
                )}
                <ol>
                  {held.map((place) => {
                    const to = actions.address(place.record);
                    return (
                      <li
                        key={place.record.id}
                        data-chosen={place.record.id === chosen || undefined}
                        onMouseEnter={() => setChosen(place.record.id)}
                        onFocus={() => setChosen(place.record.id)}
                      >
                        {to === null ? <b>{place.title}</b> : <Link to={to}>{place.title}</Link>}
                        {order !== undefined && place.from !== null && <span>+ {distanceInWords(place.from)}</span>}
                      </li>
                    );
                  })}
                </ol>
              </section>
            ))}
          </div>
        </div>
      </LookFrame>
      {overlays}
    </>
  );
}
