import { AddRegular, ArrowDownloadRegular, DismissRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { canGroup } from '../../../descriptor/list_groups.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import type { PageAction } from '../../app/page_action.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { isPhone, usePhone, useSession } from '../../app/session.ts';
import type { ExportWish } from '../excel/run_calls.ts';
import { lookActions } from '../looks/look_titles.tsx';
import type { PageProps } from '../page_props.ts';
import { recordLabel } from './cell_text.ts';
import { fieldsInCells } from './cell_edit.ts';
import type { ColumnChoice } from './column_state.ts';
import { defaultColumns, loadColumns, resolveColumns, saveColumns } from './column_state.ts';
import { FilterBar } from './FilterBar.tsx';
import { useLandingKeys } from './landing_keys.ts';
import styles from './landing.module.css';
import type { ListState } from './list_address.ts';
import { conditionsOf, filterOf, isNarrowed, nextSort } from './list_address.ts';
import type { Count } from './list_calls.ts';
import { countText, listParameters } from './list_calls.ts';
import { QuickSearch } from './QuickSearch.tsx';
import type { SavedView, Views } from './saved_views.ts';
import { differsFromView, stateOfView, useViews, viewOfState } from './saved_views.ts';
import { chunk, useChunk } from './use_chunk.ts';
import { useListState } from './use_list_state.ts';
import { useRecordActions } from './use_record_actions.tsx';
import { useRows } from './use_rows.ts';
import { ViewTabs } from './ViewTabs.tsx';

// A phone shows cards and never loads the grid; a desktop the other way round.
const gridChunk = chunk(() => import('./RecordGrid.tsx'));
const cardChunk = chunk(() => import('./CardList.tsx'));
(isPhone() ? cardChunk : gridChunk).load().catch(() => undefined);
const BulkBar = lazy(() => import('./BulkBar.tsx'));
const RowMenu = lazy(() => import('./RowMenu.tsx'));
const CellEditor = lazy(() => import('./CellEditor.tsx'));
const InUseDialog = lazy(() => import('./InUseDialog.tsx'));
const ColumnDialog = lazy(() => import('./ColumnDialog.tsx'));
const ImportDialog = lazy(() => import('../excel/ImportDialog.tsx'));
const ExportDialog = lazy(() => import('../excel/ExportDialog.tsx'));
const Pager = lazy(() => import('./Pager.tsx'));
const Nothing = lazy(() => import('./Nothing.tsx'));
const ViewDialog = lazy(() => import('./ViewDialog.tsx'));
const GroupDialog = lazy(() => import('./GroupDialog.tsx'));
const GroupedList = lazy(() => import('./GroupedList.tsx'));
const BandGaps = lazy(() => import('./BandGaps.tsx'));
const ViewChoice = lazy(() => import('./ViewChoice.tsx'));
const RefusedWork = lazy(() => import('../offline/RefusedWork.tsx'));
const AdoptDialog = lazy(() => import('../library/AdoptDialog.tsx'));

type Panel = 'columns' | 'group' | 'view' | 'import' | 'library';

/** The list of a record type: search, filters, saved views, grid or cards, and record actions. */
export default function LandingPage({ screen, access, query }: PageProps) {
  const phone = usePhone();
  const navigate = useNavigate();
  const { userId, entityId, isPlatform } = useSession();
  const [state, change] = useListState(screen.fields);
  const views = useViews(screen, userId);
  const view = views.views.find((one) => one.id === state.view) ?? null;

  const [own, setOwn] = useState<ColumnChoice[] | null>(() => loadColumns(userId, screen));
  const columns = useMemo(() => {
    const choice = own ?? view?.state.columns ?? defaultColumns(screen);
    return resolveColumns(choice, screen);
  }, [own, view, screen]);

  const parameters = useMemo(() => listParameters(state), [state]);
  // Rows contain only the fields shown: a person has 60 fields, a list eight columns.
  const rowParameters = useMemo(() => {
    if (phone) return parameters;
    const shown = columns.filter((column) => !column.hidden).map(({ field }) => field.name);
    // In a fixed order regardless of the columns: moving a column reloads nothing.
    return {
      ...parameters,
      columns: [...new Set([...shown, ...screen.label, ...Object.values(screen.subject ?? {}), ...askedInBulk(screen)])]
        .sort()
        .join(','),
    };
  }, [phone, parameters, columns, screen]);
  const narrowed = isNarrowed(state);
  const groupedBy = screen.fields.find((field) => field.name === state.group && canGroup(field));
  const pages = state.page !== null && !phone;
  const size = pages ? state.size : phone ? 40 : 100;
  const rows = useRows({
    type: screen.name,
    company: entityId,
    parameters: rowParameters,
    page: pages ? (state.page ?? 1) : 1,
    size,
    narrowed,
  });
  const { first, refresh } = rows;
  const { Part: RecordGrid, failed: gridFailure } = useChunk(gridChunk, !phone);
  const { Part: CardList, failed: cardFailure } = useChunk(cardChunk, phone);
  const failure = phone ? !CardList && cardFailure : !RecordGrid && gridFailure;
  const actions = useRecordActions(screen, access, refresh);

  const [selected, setSelected] = useState<WireRecord[]>([]);
  // Loaded with the first selection; it stays, because it also shows the result of the last action.
  const [bulkUsed, setBulkUsed] = useState(false);
  if (selected.length > 0 && !bulkUsed) setBulkUsed(true);
  const [selectionTurn, setSelectionTurn] = useState(0);
  const dropSelection = useCallback(() => {
    setSelected([]);
    setSelectionTurn((old) => old + 1);
  }, []);
  const shownKey = useRef(rows.key);
  useEffect(() => {
    shownKey.current = rows.key;
  });
  const selectAll = (on: boolean) => {
    if (!on) {
      dropSelection();
      return;
    }
    const { key } = rows;
    import('./select_all.ts')
      .then(({ allRows }) => allRows(screen.name, rowParameters))
      // A selection in a list that was left meanwhile is discarded.
      .then((all) => shownKey.current === key && setSelected(all))
      .catch(() =>
        toast.error('The records could not be selected.', {
          action: { label: 'Try again', onClick: () => selectAll(on) },
        }),
      );
  };
  const [rowMenu, setRowMenu] = useState<{ record: WireRecord; target: HTMLElement } | null>(null);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [exporting, setExporting] = useState<ExportWish | number | null>(null);
  const search = useRef<HTMLInputElement>(null);

  const { rights, routes } = access;
  const canAdd = routes.add !== null && rights.add_screen && rights.write;
  const canBuild = menu.use().pages.includes('/reports/build') && !isPlatform;
  const addAddress = canAdd ? routes.add : null;
  useLandingKeys({
    '/': () => search.current?.focus(),
    n: addAddress === null ? null : () => void navigate(addAddress),
  });

  // A special address opens the import once, or saves an export; it does not stay in the list's address.
  const toImport = query.has('import');
  const toExport = Number(query.get('export'));
  useEffect(() => {
    if (!toImport && !toExport) return;
    if (toImport && rights.import) setPanel('import');
    if (toExport > 0) setExporting(toExport);
    const rest = new URLSearchParams(query);
    rest.delete('import');
    rest.delete('export');
    void navigate({ search: rest.toString() }, { replace: true });
  }, [toImport, toExport, rights.import, query, navigate]);

  useFirstView(views, state, (chosen) => change(stateOfView(chosen), 'replace'));

  const keepColumns = (next: ColumnChoice[] | null) => {
    setOwn(next);
    saveColumns(userId, screen.name, next);
  };
  const chooseView = (chosen: SavedView | null) => {
    if (chosen?.state.columns) keepColumns(null);
    change(
      chosen
        ? stateOfView(chosen)
        : { view: null, q: '', conditions: [], sort: [], active: 'true', mine: false, group: null },
    );
  };

  const add: PageAction | undefined =
    addAddress === null
      ? undefined
      : { label: `Add ${lower(screen.title)}`, icon: <AddRegular />, to: addAddress, shortcut: 'N' };
  const startExport = (ids?: number[]) =>
    setExporting({
      parameters: { ...parameters, ...(state.sort.length === 0 && { sort: screen.sort.join(',') }) },
      columns: columns.filter((column) => !column.hidden).map(({ field }) => field.name),
      ...(ids && { ids }),
    });
  const secondary: PageAction[] = [
    ...lookActions(access, query),
    ...(rights.export
      ? [{ label: 'Export', icon: <ArrowDownloadRegular />, busy: exporting !== null, onClick: () => startExport() }]
      : []),
  ];
  const importAction: PageAction = {
    label: 'Import…',
    icon: <MenuIcon name="ArrowUpload" />,
    onClick: () => setPanel('import'),
  };
  const adopt: PageAction[] =
    access.library && canAdd
      ? [{ label: 'Add from library…', icon: <MenuIcon name="Library" />, onClick: () => setPanel('library') }]
      : [];
  const more: PageAction[] = [
    ...adopt,
    ...screen.actions
      .filter(
        (action) =>
          (action.list === true || action.on === 'list') &&
          (action.to !== undefined || (rights[action.page ?? 'edit_screen'] && rights.write)),
      )
      .map((action): PageAction => ({
        label: action.title,
        ...(action.to !== undefined
          ? { to: action.to }
          : {
              onClick: () =>
                // Expressions are not needed to show a list: they are loaded with the first action.
                void import('../record_action.ts')
                  .then(({ callAction }) => callAction(screen, action, null))
                  .then((done) => done && refresh()),
            }),
      })),
    ...(rights.import
      ? [
          importAction,
          {
            label: 'Download template',
            icon: <MenuIcon name="DocumentArrowDown" />,
            onClick: () => void api.download(`/tapi/${screen.name}/template.xlsx`).catch(() => undefined),
          },
        ]
      : []),
    ...(access.hierarchy
      ? [{ label: access.hierarchy.title, icon: <MenuIcon name="TextBulletListTree" />, to: access.hierarchy.route }]
      : []),
    ...(access.tree
      ? [
          {
            label: 'Tree view',
            icon: <MenuIcon name="TextBulletListTree" />,
            onClick: () => void navigate(`${routes.landing}?view=tree`),
          },
        ]
      : []),
    ...(phone
      ? []
      : [
          { label: 'Columns…', icon: <MenuIcon name="ColumnTripleEdit" />, onClick: () => setPanel('columns') },
          {
            label: pages ? 'Endless list' : 'Page by page',
            icon: <MenuIcon name="DocumentTable" />,
            onClick: () => change({ page: pages ? null : 1 }),
          },
        ]),
    ...(screen.fields.some(canGroup)
      ? [{ label: 'Group by…', icon: <MenuIcon name="Group" />, onClick: () => setPanel('group') }]
      : []),
    ...(canBuild
      ? [
          {
            label: 'Make a report of this list',
            icon: <MenuIcon name="DataTrending" />,
            to: `/reports/build?${new URLSearchParams({
              type: screen.name,
              ...(state.conditions.length > 0 && { filter: JSON.stringify(filterOf(state.conditions)) }),
            }).toString()}`,
          },
        ]
      : []),
    { label: 'Save as view…', icon: <MenuIcon name="BookmarkAdd" />, onClick: () => setPanel('view') },
  ];

  const sortBy = useCallback(
    (field: string, withOthers: boolean) => change({ sort: nextSort(state.sort, field, withOthers) }),
    [change, state.sort],
  );
  const openMenu = useCallback((record: WireRecord, target: HTMLElement) => setRowMenu({ record, target }), []);
  const inCells = useMemo(() => fieldsInCells(screen, access), [screen, access]);
  const [cell, setCell] = useState<{ row: WireRecord; field: Field; target: HTMLElement } | null>(null);
  const editCell = (row: WireRecord, name: string, target: HTMLElement) => {
    const field = screen.fields.find((one) => one.name === name);
    if (field) setCell({ row, field, target });
  };
  const closeCell = () => {
    cell?.target.focus();
    setCell(null);
  };
  // The presentation of the rows, as a grid or as cards.
  const list = {
    rowsKey: rows.key,
    parameters: rowParameters,
    size,
    stale: rows.stale,
    address: actions.address,
    step: actions.step,
    onMore: openMenu,
  };
  const gridFailed = useCallback(
    () => toast.error('Some rows could not be loaded.', { action: { label: 'Try again', onClick: refresh } }),
    [refresh],
  );
  const clear = () => change({ q: '', conditions: [], mine: false, view: null });

  return (
    <Page
      title={access.plural}
      layout={phone ? 'page' : 'fill'}
      {...(add && { primary: add })}
      secondary={secondary}
      more={more}
    >
      <PageBody>
        <ViewTabs
          views={views}
          current={view}
          changed={view !== null && differsFromView(view, state, own)}
          onChoose={chooseView}
          onSave={() => {
            if (!view) return;
            const kept = viewOfState(state, own ?? view.state.columns ?? null);
            void views
              .update(view, { state: { ...kept, ...(view.state.isDefault && { isDefault: true }) } })
              .then(() => toast.success(`${view.name} is saved.`))
              .catch(() => undefined);
          }}
        />
        {screen.offline && (
          <Suspense fallback={null}>
            <RefusedWork type={screen.name} />
          </Suspense>
        )}
        {screen.parameters && (
          <Suspense fallback={null}>
            <ViewChoice screen={screen} chosen={state.choice} onChoose={(choice) => change({ choice })} />
          </Suspense>
        )}
        <div className={styles.toolLine}>
          <div className={styles.tools} inert={selected.length > 0}>
            <QuickSearch
              inputRef={search}
              value={state.q}
              label={`Search ${lower(screen.plural)}`}
              onChange={(q) => change({ q }, 'replace')}
            />
            <FilterBar
              screen={screen}
              conditions={state.conditions}
              active={state.active}
              mine={state.mine}
              onAll={() => change({ mine: false })}
              onConditions={(conditions) => change({ conditions })}
              onActive={(active) => change({ active })}
            />
            {groupedBy && (
              <span className={styles.chip} data-set="">
                <button type="button" aria-haspopup="dialog" onClick={() => setPanel('group')}>
                  <b>Grouped by</b> {groupedBy.title}
                </button>
                <button type="button" aria-label="Show without groups" onClick={() => change({ group: null })}>
                  <DismissRegular />
                </button>
              </span>
            )}
            <CountLine count={rows.count} total={rows.total} />
          </div>
          {!phone && bulkUsed && (
            <Suspense fallback={null}>
              <BulkBar
                screen={screen}
                access={access}
                records={selected}
                total={rows.count}
                onClear={dropSelection}
                onDone={() => {
                  dropSelection();
                  refresh();
                }}
                onExport={rights.export ? () => startExport(selected.map(({ id }) => id)) : null}
              />
            </Suspense>
          )}
        </div>
        {first && screen.ranges?.some(({ word, rows: inRows }) => word === 'bands' && inRows === undefined) && (
          <Suspense fallback={null}>
            <BandGaps type={screen.name} read={first} />
          </Suspense>
        )}
        {rows.error && !first ? (
          <ErrorView
            error={rows.error}
            title={`The list of ${lower(screen.plural)} could not be loaded.`}
            retry={refresh}
          />
        ) : failure ? (
          <ErrorView error={failure} title="This page could not be loaded." retry={() => location.reload()} />
        ) : !first || (!(phone ? CardList : RecordGrid) && first.data.length > 0) ? (
          <Skeleton rows={12} label={`Loading ${lower(screen.plural)}`} />
        ) : first.data.length === 0 && !rows.stale && (state.page ?? 1) === 1 ? (
          <Suspense fallback={null}>
            <Nothing
              narrowed={narrowed}
              inactive={state.active === 'false'}
              plural={lower(screen.plural)}
              {...(screen.description && { purpose: screen.description })}
              {...(view?.empty !== undefined && !differsFromView(view, state, own) && { empty: view.empty })}
              onClear={clear}
              onAll={() => change({ active: 'true' })}
              first={[
                ...(add ? [{ ...add, shortcut: '' }] : []),
                ...adopt,
                ...(rights.import && !phone ? [importAction] : []),
              ]}
            />
          </Suspense>
        ) : groupedBy ? (
          <Suspense fallback={<Skeleton rows={8} label="Loading groups" />}>
            <GroupedList
              key={groupedBy.name}
              screen={screen}
              by={groupedBy}
              columns={columns}
              parameters={parameters}
              address={actions.address}
              onMore={openMenu}
              onNarrow={(filter) => change({ group: null, conditions: [...state.conditions, ...conditionsOf(filter)] })}
            />
          </Suspense>
        ) : phone ? (
          CardList && <CardList {...list} first={first} screen={screen} onRefresh={refresh} />
        ) : (
          <>
            {RecordGrid && (
              <RecordGrid
                type={screen.name}
                label={screen.plural}
                nameOf={(record) => recordLabel(screen, record)}
                {...list}
                first={first}
                columns={columns}
                pages={pages}
                count={rows.count}
                sort={state.sort.length > 0 ? state.sort : screen.sort}
                selectable={(rights.edit_screen && rights.write) || rights.remove || rights.export}
                selected={selected}
                selectionTurn={selectionTurn}
                inCells={inCells}
                onEdit={editCell}
                onOpen={actions.open}
                onGo={(to) => void navigate(to)}
                onSort={sortBy}
                onSelect={setSelected}
                onSelectAll={selectAll}
                onColumns={keepColumns}
                onError={gridFailed}
              />
            )}
            {pages && (
              <Suspense fallback={null}>
                <Pager
                  page={state.page ?? 1}
                  size={state.size}
                  rows={first.data.length}
                  more={first.pagination.has_next || first.pagination.more}
                  count={rows.count}
                  onPage={(page) => change({ page })}
                  onSize={(next) => change({ size: next, page: 1 })}
                />
              </Suspense>
            )}
          </>
        )}
      </PageBody>
      <Suspense fallback={null}>
        {rowMenu && (
          <RowMenu
            {...rowMenu}
            screen={screen}
            access={access}
            actions={actions}
            onChanged={refresh}
            onClose={() => setRowMenu(null)}
          />
        )}
        {cell && (
          <CellEditor
            key={`${cell.row.id} ${cell.field.name}`}
            screen={screen}
            {...cell}
            onSaved={refresh}
            onClose={closeCell}
          />
        )}
        {actions.inUse && <InUseDialog screen={screen} actions={actions} />}
        {panel === 'columns' && (
          <ColumnDialog
            screen={screen}
            columns={columns.map(({ field, hidden, width }) => ({
              field: field.name,
              hidden,
              ...(width !== undefined && { width }),
            }))}
            onSave={keepColumns}
            onClose={() => setPanel(null)}
          />
        )}
        {panel === 'group' && (
          <GroupDialog
            screen={screen}
            by={state.group}
            onChoose={(group) => change({ group })}
            onClose={() => setPanel(null)}
          />
        )}
        {panel === 'library' && <AdoptDialog screen={screen} onAdopted={refresh} onClose={() => setPanel(null)} />}
        {panel === 'import' && <ImportDialog screen={screen} onImported={refresh} onClose={() => setPanel(null)} />}
        {exporting && (
          <ExportDialog key={Number(exporting)} screen={screen} wish={exporting} onClose={() => setExporting(null)} />
        )}
        {panel === 'view' && (
          <ViewDialog
            title="Save as view"
            onClose={() => setPanel(null)}
            onSave={async (name, shared) => {
              const made = await views.create(name, shared, viewOfState(state, own));
              setPanel(null);
              change({ view: made.id });
              toast.success(`The view ${name} is saved.`);
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** "branches" within a sentence; a word in capitals is unchanged. */
function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The view in the address, or else the person's default view, if the address requests no rows itself; once. */
function useFirstView({ loaded, views }: Views, state: ListState, choose: (view: SavedView) => void): void {
  const done = useRef(false);
  useEffect(() => {
    if (!loaded || done.current) return;
    done.current = true;
    if (isNarrowed(state) || state.sort.length > 0 || state.active !== 'true' || state.group !== null) return;
    const chosen =
      state.view === null
        ? (views.find((one) => one.mine && one.state.isDefault) ?? views.find(({ first }) => first))
        : views.find(({ id }) => id === state.view);
    if (chosen) choose(chosen);
  });
}

/** Fields that decide which bulk actions are offered: rows contain them even if no column shows them. */
function askedInBulk({ workflow, actions, fields }: Screen): string[] {
  const conditions = actions.flatMap(({ bulk, on, when }) =>
    (bulk || on === 'selection') && when !== undefined ? [when] : [],
  );
  return [
    ...(workflow?.transitions.some(({ bulk }) => bulk) ? [workflow.field] : []),
    ...fields
      .filter(({ name }) => conditions.some((when) => new RegExp(`\\b${name}\\b`).test(when)))
      .map(({ name }) => name),
  ];
}

function CountLine({ count, total }: { count: Count | null; total: Count | null }) {
  const text = !count
    ? ''
    : total && total.count !== count.count
      ? `${countText(count)} of ${countText(total)}`
      : countText(count);
  return (
    <output className={styles.count} aria-label={text === '' ? 'Counting' : `${text} records`}>
      {text}
    </output>
  );
}
