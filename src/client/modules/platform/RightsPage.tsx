import { Badge, Checkbox, Input, Select, Switch, Tab, TabList } from '@fluentui/react-components';
import {
  ArrowDownloadRegular,
  ArrowUploadRegular,
  BranchCompareRegular,
  CopyRegular,
  DocumentSyncRegular,
  HistoryRegular,
  SaveRegular,
  SearchRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { rightsWarnings } from '../../../domain/rights_warnings.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import { useMatrixEditing } from './matrix_editing.ts';
import type { Matrix, ModuleRow, PageName, Scope, ScreenRow } from './rights_matrix.ts';
import { PAGES, PAGE_TITLES, SCOPES, boxOf, changeOf, groupsOfRows, tick, withField } from './rights_matrix.ts';
import styles from './rights.module.css';

const RoleFields = lazy(() => import('./RoleFields.tsx'));
const VersionsDialog = lazy(() => import('./RoleVersionsDialog.tsx'));
const CopyDialog = lazy(() => import('./CopyRoleDialog.tsx'));
const CompareDialog = lazy(() => import('./CompareRolesDialog.tsx'));
const FileDialog = lazy(() => import('./RoleFileDialog.tsx'));
const TemplateDialog = lazy(() => import('./RoleTemplateDialog.tsx'));

const fetchMatrix = async (id: string) =>
  (await api.get<{ data: Matrix }>(`/tapi/screen_rights/${id}`, undefined, { quiet: true })).data;

/** What a role may open and do: modules, screens by page, actions. */
export default function RightsPage({ params }: BespokeProps) {
  const id = params.id ?? '';
  const [stored, setStored] = useState<Matrix | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(() => {
    setError(null);
    fetchMatrix(id).then(setStored, setError);
  }, [id]);
  useEffect(load, [load]);
  if (stored) return <Editor key={id} first={stored} />;
  return (
    <Page title="Rights" layout="page">
      <PageBody>{error ? <ErrorView error={error} retry={load} home /> : <Skeleton rows={12} />}</PageBody>
    </Page>
  );
}

function Editor({ first }: { first: Matrix }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { stored, draft, setDraft, change, busy, save, restart } = useMatrixEditing(
    first,
    `/tapi/screen_rights/${first.role.id}`,
    'role',
  );
  const warnings = useMemo(() => {
    const names = new Map(draft.modules.map((row) => [row.module_code, row.module_name]));
    return rightsWarnings(
      draft.modules,
      draft.screens,
      new Map(draft.screens.map((row) => [row.screen_code, row])),
      (code) => names.get(code) ?? code,
    );
  }, [draft]);
  const [tab, setTab] = useState<'screens' | 'modules' | 'actions' | 'fields'>(
    pathname.startsWith('/module_rights') ? 'modules' : 'screens',
  );
  const [dialog, setDialog] = useState<'versions' | 'copy' | 'compare' | 'template' | 'file' | null>(null);

  // A refusal is told by the call itself.
  const fetchFile = (format: 'xlsx' | 'json') =>
    api.download('/tapi/role_rights/export', { ids: String(stored.role.id), format }).catch(() => undefined);
  const renew = () => {
    setDialog(null);
    void fetchMatrix(String(stored.role.id)).then(restart);
  };
  const setModule = (code: string, more: Partial<ModuleRow>) =>
    setDraft((old) => ({
      ...old,
      modules: old.modules.map((row) => (row.module_code === code ? { ...row, ...more } : row)),
    }));
  return (
    <Page
      title={`Rights of ${stored.role.role_name}`}
      number={stored.role.code}
      breadcrumbs={[{ label: 'Settings' }, { label: 'Roles', to: '/role' }]}
      layout="page"
      primary={{
        label: busy ? 'Saving' : 'Save',
        icon: <SaveRegular />,
        busy,
        shortcut: 'Ctrl+S',
        disabled: change.count === 0 && !busy,
        reason: 'No changes.',
        onClick: () => void save(),
      }}
      secondary={change.count > 0 ? [{ label: 'Discard', onClick: () => setDraft(stored) }] : []}
      more={[
        { label: 'Versions', icon: <HistoryRegular />, onClick: () => setDialog('versions') },
        { label: 'Copy this role', icon: <CopyRegular />, onClick: () => setDialog('copy') },
        { label: 'Compare with another role', icon: <BranchCompareRegular />, onClick: () => setDialog('compare') },
        ...(stored.role.template
          ? [
              {
                label: 'Apply its template again',
                icon: <DocumentSyncRegular />,
                disabled: change.count > 0,
                reason: 'Save or discard your changes first.',
                onClick: () => setDialog('template'),
              },
            ]
          : []),
        { label: 'Export to Excel', icon: <ArrowDownloadRegular />, onClick: () => void fetchFile('xlsx') },
        { label: 'Export as JSON', icon: <ArrowDownloadRegular />, onClick: () => void fetchFile('json') },
        { label: 'Import roles', icon: <ArrowUploadRegular />, onClick: () => setDialog('file') },
      ]}
    >
      <PageBody>
        <div className={styles.head}>
          <TabList selectedValue={tab} onTabSelect={(_, { value }) => setTab(value as 'screens')}>
            <Tab value="screens">Screens</Tab>
            <Tab value="modules">Modules</Tab>
            <Tab value="actions">Actions</Tab>
            <Tab value="fields">Fields{draft.fields && draft.fields.length > 0 ? ` (${draft.fields.length})` : ''}</Tab>
          </TabList>
          <UnsavedCount count={change.count} users={stored.role.users} />
        </div>
        <Warnings texts={warnings} />
        {tab === 'screens' && (
          <RightsGrid
            stored={stored}
            draft={draft}
            onRows={(screens) =>
              setDraft((old) => ({ ...old, screens: typeof screens === 'function' ? screens(old.screens) : screens }))
            }
          />
        )}
        {tab === 'modules' && <Modules rows={draft.modules} screens={draft.screens} onChange={setModule} />}
        {tab === 'actions' && (
          <div className={styles.actions}>
            {draft.action_codes.map((code) => (
              <Checkbox
                key={code}
                label={{
                  children: (
                    <>
                      <strong>{words(code)}</strong> <span className={styles.code}>{code}</span>
                    </>
                  ),
                }}
                checked={draft.actions.includes(code)}
                onChange={(_, { checked }) =>
                  setDraft((old) => ({
                    ...old,
                    actions:
                      checked === true ? [...old.actions, code].sort() : old.actions.filter((one) => one !== code),
                  }))
                }
              />
            ))}
          </div>
        )}
        {tab === 'fields' && (
          <Suspense fallback={<Skeleton rows={8} />}>
            <RoleFields
              draft={draft}
              onChange={(line) => setDraft((old) => ({ ...old, fields: withField(old.fields ?? [], line) }))}
            />
          </Suspense>
        )}
        <Suspense fallback={null}>
          {dialog === 'versions' && (
            <VersionsDialog role={stored.role} onClose={() => setDialog(null)} onRestored={renew} />
          )}
          {dialog === 'compare' && <CompareDialog role={stored.role} onClose={() => setDialog(null)} />}
          {dialog === 'template' && (
            <TemplateDialog
              role={stored.role}
              template={stored.role.template!}
              onClose={() => setDialog(null)}
              onApplied={renew}
            />
          )}
          {dialog === 'file' && <FileDialog onClose={() => setDialog(null)} onImported={renew} />}
          {dialog === 'copy' && (
            <CopyDialog
              role={stored.role}
              onClose={() => setDialog(null)}
              onCopied={(id) => void navigate(`/screen_rights/${id}`)}
            />
          )}
        </Suspense>
      </PageBody>
    </Page>
  );
}

/** How much is not saved; `users`: how many hold these rights. */
export function UnsavedCount({ count, users }: { count: number; users?: number | undefined }) {
  const affected =
    users === undefined
      ? ''
      : users === 0
        ? ', nobody holds this role'
        : `, affects ${users} ${users === 1 ? 'user' : 'users'}`;
  return (
    <span role="status" className={styles.count}>
      {count > 0 && `${count} ${count === 1 ? 'change' : 'changes'} not saved${affected}`}
    </span>
  );
}

/** Ticks that open nothing as they stand, and why. */
export function Warnings({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <details className={styles.warnings}>
      <summary>
        {texts.length} {texts.length === 1 ? 'tick does not work as it stands' : 'ticks do not work as they stand'}
      </summary>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

/** `CREATE_MASTERS` → "Create masters". */
function words(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Box({
  state,
  label,
  onChange,
  disabled = false,
}: {
  state: 'on' | 'off' | 'mixed';
  label: string;
  onChange: (value: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={label}
      title={label}
      checked={state === 'on'}
      disabled={disabled}
      ref={(box) => {
        if (box) box.indeterminate = state === 'mixed';
      }}
      onChange={(event) => onChange(state === 'mixed' ? true : event.target.checked)}
    />
  );
}

type SetRows = (screens: ScreenRow[] | ((old: ScreenRow[]) => ScreenRow[])) => void;

/** Screens by module with a box for each page they have; `scopes`: and whose records count. */
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

  /** Arrows go from box to box, as in a sheet. */
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
          placeholder="Screen, code or address"
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
      <div className={styles.frame}>
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
        {shown.length === 0 && <p className={styles.none}>No screen fits. Clear the search or choose “All screens”.</p>}
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
              {row.also && `Also ${row.also.join(', ')} · `}
              {row.route ?? ''} {row.screen_code}
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
            value={row.data_scope}
            onChange={(event) => setScope(row.screen_code, event.target.value as Scope)}
          >
            {Object.entries(SCOPES).map(([value, label]) => (
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

function Modules({
  rows,
  screens,
  onChange,
}: {
  rows: ModuleRow[];
  screens: ScreenRow[];
  onChange: (code: string, more: Partial<ModuleRow>) => void;
}) {
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={['Module', { wide: 'Product' }, 'Open', 'Hide all its screens', 'Screens ticked']} />
        <tbody>
          {rows.map((row) => {
            const own = screens.filter((screen) => screen.modules.includes(row.module_code));
            return (
              <tr key={row.module_code} data-row data-off={!row.bought || undefined}>
                <th scope="row">
                  <span className={styles.name}>
                    {row.module_name}
                    {!row.bought && <span className={styles.closed}>the product is not bought</span>}
                  </span>
                </th>
                <td data-wide>{row.product?.replace('MS_', '') ?? 'any'}</td>
                <td>
                  <Switch
                    aria-label={`${row.module_name} open`}
                    checked={row.active}
                    disabled={!row.bought}
                    onChange={(_, { checked }) => onChange(row.module_code, { active: checked })}
                  />
                </td>
                <td>
                  <Switch
                    aria-label={`Hide all screens of ${row.module_name}`}
                    checked={row.hide_all}
                    disabled={!row.active}
                    onChange={(_, { checked }) => onChange(row.module_code, { hide_all: checked })}
                  />
                </td>
                <td>
                  {own.filter((screen) => PAGES.some((page) => screen[page])).length} of {own.length}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
