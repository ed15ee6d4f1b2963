import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { Fragment, useCallback, useEffect, useId, useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import type { ListGroup, ListGroups } from '../../../descriptor/list_groups.ts';
import { MAX_GROUPS, canSum } from '../../../descriptor/list_groups.ts';
import type { Field, FilterExpression, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import { Card } from './CardList.tsx';
import type { ShownColumn } from './column_state.ts';
import styles from './group_lines.module.css';
import type { ListPage } from './list_calls.ts';
import { fetchRows } from './list_calls.ts';
import { RowsTable } from './RowsTable.tsx';
import { useLiveRecords } from './use_rows.ts';

/** The number of rows shown in an open group, and added by each press of "Show more". */
const STEP = 50;
const MAX_SHOWN = 500;

interface Listed {
  screen: Screen;
  columns: ShownColumn[];
  /** The filters and order of the list. */
  parameters: Record<string, string>;
  address: (record: WireRecord) => string | null;
  onMore: (record: WireRecord, target: HTMLElement) => void;
  /** Shows only the rows of a group, as a list. */
  onNarrow: (filter: FilterExpression) => void;
}

/** A list grouped by one field, with the sums of its amount and number columns; a group opens in place. */
export default function GroupedList({ by, ...list }: Listed & { by: Field }) {
  const { screen, columns, parameters } = list;
  const shown = columns.filter(({ hidden }) => !hidden);
  const sums = shown.flatMap(({ field }) => (canSum(field) ? [field] : []));
  const { answer, error, turn, refresh } = useGroups(screen.name, by.name, sums, parameters);
  if (error)
    return <ErrorView error={error} title={`The groups of ${by.title} could not be loaded.`} retry={refresh} />;
  if (!answer) return <Skeleton rows={8} label="Loading groups" />;
  return (
    <div className={styles.scroll}>
      {answer.more && (
        <p className={styles.note}>
          There are more than {MAX_GROUPS} groups. These are the largest; add a filter to see the others.
        </p>
      )}
      <ul className={styles.groups} aria-label={`Grouped by ${by.title}`}>
        {answer.groups.map((group) => (
          <Group key={String(group.value)} {...list} columns={shown} sums={sums} group={group} turn={turn} />
        ))}
      </ul>
    </div>
  );
}

function Group({ sums, group, turn, ...list }: Listed & { sums: Field[]; group: ListGroup; turn: number }) {
  const [open, setOpen] = useState(false);
  const rows = useId();
  // Numbers in several units have no sum.
  const added = sums.filter(({ name }) => group.sums[name] !== undefined);
  const title = group.value === null ? 'Empty' : group.label || `#${String(group.value)}`;
  return (
    <li>
      <h2 className={styles.groupLine}>
        <button type="button" aria-expanded={open} aria-controls={rows} onClick={() => setOpen(!open)}>
          {open ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />}
          <span className={styles.groupTitle}>{title}</span>{' '}
          {added.length > 0 && (
            <span className={styles.sums}>
              {added.map((field) => (
                <Fragment key={field.name}>
                  <span>
                    <span className={styles.quiet}>{field.title}</span>{' '}
                    {fieldType(field.type).format(group.sums[field.name]!, field)}
                  </span>{' '}
                </Fragment>
              ))}
            </span>
          )}{' '}
          <span className={styles.count}>{formatNumber(group.count)}</span>
        </button>
      </h2>
      <div id={rows}>{open && <Rows {...list} title={title} group={group} turn={turn} />}</div>
    </li>
  );
}

function Rows({
  screen,
  columns,
  parameters,
  address,
  onMore,
  onNarrow,
  title,
  group,
  turn,
}: Listed & { title: string; group: ListGroup; turn: number }) {
  const phone = usePhone();
  const [size, setSize] = useState(STEP);
  const { page, failed, retry } = useGroupRows(screen, columns, parameters, group, size, turn);
  if (failed)
    return (
      <p role="alert" className={styles.failed}>
        The rows could not be loaded.{' '}
        <button type="button" onClick={retry}>
          Try again
        </button>
      </p>
    );
  if (!page) return <Skeleton rows={3} label={`Loading ${title}`} />;
  const more = page.pagination.has_next || page.pagination.more;
  return (
    <div className={styles.opened}>
      {phone ? (
        <ul className={styles.cards}>
          {page.data.map((record) => (
            <Card key={record.id} screen={screen} record={record} to={address(record)} onMore={onMore} />
          ))}
        </ul>
      ) : (
        <RowsTable title={title} columns={columns} rows={page.data} screen={screen} address={address} />
      )}
      <div className={styles.ways}>
        {more && size < MAX_SHOWN && (
          <button type="button" onClick={() => setSize(size + STEP)}>
            Show more
          </button>
        )}
        <button type="button" onClick={() => onNarrow(group.filter)}>
          Show as a list
        </button>
      </div>
    </div>
  );
}

/** The groups, reloaded when somebody changes a record of the type. `turn` counts the reloads. */
function useGroups(type: string, by: string, sums: Field[], parameters: Record<string, string>) {
  const { sort: _order, columns: _columns, ...narrowed } = parameters;
  const asked = new URLSearchParams({ ...narrowed, by, sums: sums.map(({ name }) => name).join(',') }).toString();
  const [state, setState] = useState<{ asked: string; answer: ListGroups | null; error: ApiError | null }>({
    asked,
    answer: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);
  useEffect(() => {
    const stop = new AbortController();
    api
      .get<{ data: ListGroups }>(`/tapi/${type}/groups`, Object.fromEntries(new URLSearchParams(asked)), {
        quiet: true,
        signal: stop.signal,
      })
      .then(({ data }) => setState({ asked, answer: data, error: null }))
      .catch((thrown: unknown) => {
        if (stop.signal.aborted) return;
        const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server');
        // If reloading fails, the current content stays.
        setState((old) => (old.answer && old.asked === asked ? old : { asked, answer: null, error }));
      });
    return () => stop.abort();
  }, [type, asked, turn]);
  useLiveRecords(type, refresh);
  return { ...(state.asked === asked ? state : { answer: null, error: null }), turn, refresh };
}

/** The first rows of a group, up to the requested number. */
function useGroupRows(
  screen: Screen,
  columns: ShownColumn[],
  { filter, ...parameters }: Record<string, string>,
  group: ListGroup,
  size: number,
  turn: number,
) {
  const [state, setState] = useState<{ page: ListPage | null; failed: boolean }>({ page: null, failed: false });
  const [again, setAgain] = useState(0);
  const retry = useCallback(() => setAgain((old) => old + 1), []);
  const within = filter === undefined ? group.filter : ['and', JSON.parse(filter) as FilterExpression, group.filter];
  const asked = new URLSearchParams({
    ...parameters,
    filter: JSON.stringify(within),
    columns: [...new Set([...columns.map(({ field }) => field.name), ...screen.label, ...screen.card])].join(','),
  }).toString();
  useEffect(() => {
    const stop = new AbortController();
    fetchRows(screen.name, Object.fromEntries(new URLSearchParams(asked)), { page: 1, size }, { signal: stop.signal })
      .then((page) => setState({ page, failed: false }))
      .catch(() => !stop.signal.aborted && setState(({ page }) => ({ page, failed: page === null })));
    return () => stop.abort();
  }, [screen.name, asked, size, turn, again]);
  return { ...state, retry };
}
