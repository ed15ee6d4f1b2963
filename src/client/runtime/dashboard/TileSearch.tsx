import { SearchBox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { Problem } from './FigureTile.tsx';
import { cellText } from '../landing/cell_text.ts';
import { linkOf } from '../report/report_view.ts';
import styles from './dashboard.module.css';

const REST_MS = 250;
const LEAST = 2;
const LINES = 8;

/** Finds records of a type by name, as its list does for this reader; each leads where the tile says. */
export function TileSearch({ tile, answer }: { tile: Tile; answer: TileAnswer }) {
  const { type, sort, size = LINES } = tile.list!;
  const ref = useScreenRef(type);
  const own = ref?.rights.view_screen ? ref.routes.view : null;
  const columns = answer.list?.columns ?? [];
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const filter = answer.behind?.filter;
  const { data, error, mutate } = useSWR(
    asked.length < LEAST ? null : [`/tapi/${type}`, asked, JSON.stringify(filter ?? null)],
    async ([path, q]) =>
      (
        await api.get<{ data: WireRecord[] }>(
          path,
          {
            q,
            size: String(size),
            count: 'none',
            ...(sort && { sort: sort.join(',') }),
            ...(filter && { filter: JSON.stringify(filter) }),
            ...(columns.length > 0 && { columns: columns.map(({ name }) => name).join(',') }),
          },
          { quiet: true },
        )
      ).data,
    { keepPreviousData: true },
  );
  const [first, ...rest] = columns;
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
          {data?.map((row) => {
            const title = (first && cellText(first, row)) || `Number ${row.id}`;
            const to = tile.opens === undefined ? own?.replace(/:\w+/, String(row.id)) : linkOf(tile.opens, row);
            return (
              <li key={row.id}>
                {to ? <Link to={to}>{title}</Link> : <span>{title}</span>}
                <span className={styles.small}>
                  {rest
                    .map((field) => cellText(field, row))
                    .filter((one) => one !== '')
                    .join(' · ')}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
