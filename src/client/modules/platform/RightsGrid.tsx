import { Badge, Input, Select, Switch } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { Box } from './rights_controls.tsx';
import type { Matrix, PageName, Scope, ScreenRow } from './rights_matrix.ts';
import { PAGES, PAGE_TITLES, actingScope, boxOf, changeOf, groupsOfRows, scopesOf, tick } from './rights_matrix.ts';
import styles from './rights.module.css';

type SetRows = (screens: ScreenRow[] | ((old: ScreenRow[]) => ScreenRow[])) => void;

/** Screens by module with a checkbox for each of their pages; with `scopes`, also the data scope. */
export function RightsGrid({
  stored,
  draft,
  onRows,
  scopes = true,
}: {
  stored: Matrix;
  draft: Matrix;
  onRows: SetRows;
  scopes?: boolean;
}) {
  const [text, setText] = useState('');
  const [module, setModule] = useState('');
  const [only, setOnly] = useState<'all' | 'ticked' | 'changed'>('all');
  const [unavailable, setUnavailable] = useState(false);
  const changed = useMemo(
    () => new Set(changeOf(stored, draft).screens.map((row) => row.screen_code)),
    [stored, draft],
  );
  const table = useRef<HTMLTableElement>(null);
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return draft.screens.filter(
      (row) =>
        (unavailable || row.available) &&
        (module === '' || row.modules.includes(module)) &&
        (only === 'all' || (only === 'changed' ? changed.has(row.screen_code) : PAGES.some((page) => row[page]))) &&
        (wanted === '' ||
          `${row.name} ${row.also?.join(' ') ?? ''} ${row.screen_code} ${row.route ?? ''}`
            .toLowerCase()
            .includes(wanted)),
    );
  }, [draft.screens, text, module, only, unavailable, changed]);
  const groups = useMemo(() => {
    const names = new Map(draft.modules.map((row) => [row.module_code, row]));
    return groupsOfRows(shown)
      .map(({ code, group, rows }) => {
        const of = names.get(code);
        return { code, module: of, title: [of?.module_name ?? 'Other', group].filter(Boolean).join(' · '), rows };
      })
      .sort((a, b) => a.title.localeCompare(b.title));
  }, [shown, draft.modules]);
  const set = useCallback(
    (codes: string[], pages: readonly PageName[], value: boolean) =>
      onRows((old) => tick(old, new Set(codes), pages, value)),
    [onRows],
  );
  const setScope = useCallback(
    (code: string, scope: Scope) =>
      onRows((old) => old.map((row) => (row.screen_code === code ? { ...row, data_scope: scope } : row))),
    [onRows],
  );
  const hidden = draft.screens.filter((row) => !row.available).length;

  /** Arrow keys move between checkboxes, as in a spreadsheet. */
  const move = (event: React.KeyboardEvent) => {
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[
      event.key
    ] ?? [0, 0];
    const cell = (event.target as HTMLElement).closest('td');
    if ((down === 0 && right === 0) || !cell || (event.target as HTMLElement).tagName === 'SELECT' || !table.current)
      return;
    event.preventDefault();
    const rows = [...table.current.querySelectorAll<HTMLTableRowElement>('tr[data-row]')];
    let at = rows.indexOf(cell.parentElement as HTMLTableRowElement);
    let column = cell.cellIndex;
    for (;;) {
      at += down ?? 0;
      column += right ?? 0;
      const target = rows[at]?.cells[column];
      if (!target) return;
      const box = target.querySelector<HTMLInputElement>('input');
      if (box) return box.focus();
    }
  };

  return (
    <>
      <div className={styles.filters}>
        <Input
          contentBefore={<SearchRegular />}
          placeholder="Screen or address"
          aria-label="Search screens"
          value={text}
          onChange={(_, { value }) => setText(value)}
        />
        <Select aria-label="Module" value={module} onChange={(_, { value }) => setModule(value)}>
          <option value="">All modules</option>
          {draft.modules
            .filter((row) => row.screens > 0)
            .map((row) => (
              <option key={row.module_code} value={row.module_code}>
                {row.module_name}
              </option>
            ))}
        </Select>
        <Select aria-label="Show" value={only} onChange={(_, { value }) => setOnly(value as 'all')}>
          <option value="all">All screens</option>
          <option value="ticked">Only ticked</option>
          <option value="changed">Only changed</option>
        </Select>
        {hidden > 0 && (
          <Switch
            label="Not bought or not released"
            checked={unavailable}
            onChange={(_, { checked }) => setUnavailable(checked)}
          />
        )}
        <span className={styles.count}>
          {shown.length} of {draft.screens.length}
        </span>
      </div>
      <div className={styles.frame} data-both>
        <table className={styles.matrix} ref={table} onKeyDown={move}>
          <thead>
            <tr>
              <th scope="col">Screen</th>
              {PAGES.map((page) => {
                const able = shown.filter((row) => row.has.includes(page));
                return (
                  <th key={page} scope="col">
                    <span>{PAGE_TITLES[page]}</span>
                    <Box
                      state={boxOf(able.map((row) => row[page]))}
                      label={`${PAGE_TITLES[page]} of all ${able.length} screens shown`}
                      onChange={(value) =>
                        set(
                          able.map((row) => row.screen_code),
                          [page],
                          value,
                        )
                      }
                      disabled={able.length === 0}
                    />
                  </th>
                );
              })}
              {scopes && <th scope="col">Records</th>}
            </tr>
          </thead>
          {groups.map(({ module: of, title, rows }) => (
            <tbody key={title}>
              <tr className={styles.group}>
                <th scope="rowgroup">
                  {title}
                  {of && !(of.active && !of.hide_all) && <span className={styles.closed}>not open in this role</span>}
                </th>
                {PAGES.map((page) => {
                  const able = rows.filter((row) => row.has.includes(page));
                  return (
                    <td key={page}>
                      {able.length > 0 && (
                        <Box
                          state={boxOf(able.map((row) => row[page]))}
                          label={`${PAGE_TITLES[page]} of all in ${title}`}
                          onChange={(value) =>
                            set(
                              able.map((row) => row.screen_code),
                              [page],
                              value,
                            )
                          }
                        />
                      )}
                    </td>
                  );
                })}
                {scopes && <td aria-label="Records" />}
              </tr>
              {rows.map((row) => (
                <ScreenLine
                  key={row.screen_code}
                  row={row}
                  changed={changed.has(row.screen_code)}
                  set={set}
                  setScope={scopes ? setScope : null}
                />
              ))}
            </tbody>
          ))}
        </table>
        {shown.length === 0 && (
          <p className={styles.none}>No screen matches. Clear the search or choose “All screens”.</p>
        )}
      </div>
    </>
  );
}

const ScreenLine = memo(function ScreenLine({
  row,
  changed,
  set,
  setScope,
}: {
  row: ScreenRow;
  changed: boolean;
  set: (codes: string[], pages: readonly PageName[], value: boolean) => void;
  setScope: ((code: string, scope: Scope) => void) | null;
}) {
  const able = PAGES.filter((page) => row.has.includes(page));
  return (
    <tr data-row data-changed={changed || undefined}>
      <th scope="row">
        <div className={styles.line}>
          <Box
            state={boxOf(able.map((page) => row[page]))}
            label={`Everything of ${row.name}`}
            onChange={(value) => set([row.screen_code], able, value)}
          />
          <span className={styles.name}>
            <span>
              {row.name}{' '}
              {row.is_new === true && (
                <Badge size="small" appearance="tint">
                  new
                </Badge>
              )}
              {row.released === false && (
                <Badge size="small" appearance="tint" color="informative">
                  not released
                </Badge>
              )}
            </span>
            <span className={styles.code}>
              {[row.also && `Also ${row.also.join(', ')}`, row.route].filter(Boolean).join(' · ')}
            </span>
          </span>
        </div>
      </th>
      {PAGES.map((page) => (
        <td key={page}>
          {row.has.includes(page) ? (
            <Box
              state={row[page] ? 'on' : 'off'}
              label={`${PAGE_TITLES[page]}: ${row.name}`}
              onChange={(value) => set([row.screen_code], [page], value)}
            />
          ) : (
            <span aria-hidden>–</span>
          )}
        </td>
      ))}
      {setScope && (
        <td>
          <select
            className={styles.scope}
            aria-label={`Records of ${row.name}`}
            value={actingScope(row)}
            onChange={(event) => setScope(row.screen_code, event.target.value as Scope)}
          >
            {scopesOf(row).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </td>
      )}
    </tr>
  );
});
