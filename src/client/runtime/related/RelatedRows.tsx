import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { RelatedGroup } from '../../../descriptor/makes.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { pageAddress, useScreen, useScreenRef } from '../../api/screens.ts';
import { Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import { Card } from '../landing/CardList.tsx';
import type { ShownColumn } from '../landing/column_state.ts';
import { defaultColumns, resolveColumns } from '../landing/column_state.ts';
import type { ListPage } from '../landing/list_calls.ts';
import { countText, fetchRows } from '../landing/list_calls.ts';
import { RowsTable } from '../landing/RowsTable.tsx';
import { useLiveRecords } from '../landing/use_rows.ts';
import styles from '../landing/group_lines.module.css';

/** The number of rows and columns of an open group; its list has the others. */
const ROWS = 5;
const COLUMNS = 5;

/** The first records of a group as a small grid, or as cards on a phone, with links to all of them and to a new one. */
export default function RelatedRows({ group, id }: { group: RelatedGroup; id: number }) {
  const { screen, error, retry } = useScreen(group.type);
  const access = useScreenRef(group.type);
  if (error) return <Failed title={group.title} retry={retry} />;
  if (!screen || !access) return <Skeleton rows={3} label={`Loading ${group.title}`} />;
  return <Rows group={group} id={id} screen={screen} access={access} />;
}

function Rows({ group, id, screen, access }: { group: RelatedGroup; id: number; screen: Screen; access: ScreenRef }) {
  const phone = usePhone();
  const filter = JSON.stringify([group.field, 'in', [id]]);
  const columns = useMemo(
    () =>
      resolveColumns(defaultColumns(screen), screen)
        // The same in all of them.
        .filter(({ field, hidden }) => !hidden && (field.name !== group.field || field.type === 'refs'))
        .slice(0, COLUMNS),
    [screen, group.field],
  );
  const { page, failed, retry } = useFirstRows(screen, filter, columns);
  const address = (record: WireRecord) =>
    pageAddress(access, 'view_screen', record.id) ?? pageAddress(access, 'edit_screen', record.id);
  const all = pageAddress(access, 'landing');
  const add = addAddress(screen, access, group.field, id);
  return (
    <div className={styles.opened}>
      {failed ? (
        <Failed title={group.title} retry={retry} />
      ) : !page ? (
        <Skeleton rows={3} label={`Loading ${group.title}`} />
      ) : phone ? (
        <ul className={styles.cards}>
          {page.data.map((record) => (
            <Card key={record.id} screen={screen} record={record} to={address(record)} />
          ))}
        </ul>
      ) : (
        <RowsTable title={group.title} columns={columns} rows={page.data} screen={screen} address={address} />
      )}
      <div className={styles.ways}>
        {all !== null && (
          <Link to={`${all}?${new URLSearchParams({ filter }).toString()}`} aria-label={`Show all ${group.title}`}>
            Show all{group.count > ROWS && ` ${countText(group)}`}
          </Link>
        )}
        {add !== null && <Link to={add}>Add {inSentence(screen.title)}</Link>}
      </div>
    </div>
  );
}

function Failed({ title, retry }: { title: string; retry: () => void }) {
  return (
    <p role="alert" className={styles.failed}>
      {title} could not be loaded.{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}

/**
 * The page for a new record that refers to this one; null if the person may not add one, or cannot fill in the field.
 */
function addAddress(screen: Screen, { rights, routes }: ScreenRef, name: string, id: number): string | null {
  const field = screen.fields.find((one) => one.name === name);
  if (!field || field.readOnly || !rights.add_screen || !rights.write || routes.add === null) return null;
  return `${routes.add}?${new URLSearchParams({ [name]: String(id) }).toString()}`;
}

/** The first rows of a filtered list, reloaded when somebody changes a record of the type. */
function useFirstRows(screen: Screen, filter: string, columns: ShownColumn[]) {
  const [state, setState] = useState<{ page: ListPage | null; failed: boolean }>({ page: null, failed: false });
  const [turn, setTurn] = useState(0);
  const retry = useCallback(() => setTurn((old) => old + 1), []);
  const asked = [...new Set([...columns.map(({ field }) => field.name), ...screen.label, ...screen.card])].join(',');
  useEffect(() => {
    const stop = new AbortController();
    fetchRows(screen.name, { filter, columns: asked }, { page: 1, size: ROWS }, { signal: stop.signal })
      .then((page) => setState({ page, failed: false }))
      .catch(() => !stop.signal.aborted && setState(({ page }) => ({ page, failed: page === null })));
    return () => stop.abort();
  }, [screen.name, filter, asked, turn]);
  useLiveRecords(screen.name, retry);
  return { ...state, retry };
}
