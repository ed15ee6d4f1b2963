import { SearchBox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { Tile } from '../../../domain/dashboard.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { useSession } from '../../app/session.ts';
import type { Option } from '../fields/reference/option_calls.ts';
import { Problem } from './FigureTile.tsx';
import { linkOf } from '../report/report_view.ts';
import styles from './dashboard.module.css';

const REST_MS = 250;
const LEAST = 2;
const LINES = 8;

/** Finds records of a type by name, as a field that refers to them offers them; each leads where the tile says. */
export function TileSearch({ tile }: { tile: Tile }) {
  const { type, size = LINES } = tile.list!;
  const { entityId } = useSession();
  const ref = useScreenRef(type);
  const own = ref?.rights.view_screen ? ref.routes.view : undefined;
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, mutate } = useSWR(
    asked.length < LEAST ? null : [`/tapi/${type}/options`, asked, entityId],
    async ([path, q]) => (await api.get<{ data: Option[] }>(path, { q, limit: size }, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const addressOf = (option: Option) =>
    tile.opens === undefined ? own?.replace(/:\w+/, String(option.id)) : linkOf(tile.opens, { id: option.id });
  return (
    <>
      <SearchBox
        className={styles.search}
        aria-label={tile.title}
        placeholder="Type a name"
        value={text}
        onChange={(_, { value }) => setText(value)}
      />
      {asked.length < LEAST ? null : error ? (
        <Problem text="The search failed." title={tile.title} onAgain={() => void mutate()} />
      ) : data?.length === 0 ? (
        <p className={styles.nothing}>{tile.empty ?? 'Nothing has this name.'}</p>
      ) : (
        <ul className={styles.lines}>
          {data?.map((option) => {
            const to = addressOf(option);
            return (
              <li key={option.id}>
                {to ? <Link to={to}>{option.label}</Link> : <span>{option.label}</span>}
                {option.detail && <span className={styles.small}>{option.detail}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
