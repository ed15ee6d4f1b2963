import type {
  CellKeyDownEvent,
  ColDef,
  Column,
  GridApi,
  GridOptions,
  IDatasource,
  IGetRowsParams,
} from 'ag-grid-community';
import {
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  ValidationModule,
  createGrid,
  provideGlobalGridOptions,
} from 'ag-grid-community';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { RowStep } from '../action_address.ts';
import { isSortable } from './cell_text.ts';
import type { ColumnChoice, ShownColumn } from './column_state.ts';
import { contentWidth, headText, headWidth } from './column_widths.ts';
import type { GridContext } from './grid_cells.ts';
import { MoreCell, RecordCell, RecordHead, TickHead } from './grid_cells.ts';
import styles from './grid.module.css';
import { gridTheme } from './grid_theme.ts';
import type { Count, ListPage } from './list_calls.ts';
import { fetchRows } from './list_calls.ts';
import { MAX_SELECTED } from './most_selected.ts';

ModuleRegistry.registerModules([
  InfiniteRowModelModule,
  RowSelectionModule,
  ColumnApiModule,
  RowApiModule,
  CellStyleModule,
  RenderApiModule,
  ...(import.meta.env.DEV ? [ValidationModule] : []),
]);
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
provideGlobalGridOptions({ theme: gridTheme, ...(nonce && { styleNonce: nonce }) });

export interface RecordGridProps {
  type: string;
  label: string;
  columns: ShownColumn[];
  /** Changes with the list parameters; the same key with other first rows = the rows changed. */
  rowsKey: string;
  first: ListPage;
  parameters: Record<string, string>;
  size: number;
  /** Only the first rows, as one page. */
  pages: boolean;
  count: Count | null;
  stale: boolean;
  sort: string[];
  selectable: boolean;
  /** Loaded or not. */
  selected: WireRecord[];
  /** Changes when the selection is to be cleared. */
  selectionTurn: number;
  nameOf: (record: WireRecord) => string;
  address: (record: WireRecord) => string | null;
  step: ((record: WireRecord) => RowStep | null) | null;
  onOpen: (record: WireRecord, newTab: boolean) => void;
  onGo: (to: string) => void;
  onMore: (record: WireRecord, target: HTMLElement) => void;
  /** Fields that can be edited in their cell. */
  inCells: ReadonlySet<string>;
  onEdit: (record: WireRecord, field: string, cell: HTMLElement) => void;
  onSort: (field: string, add: boolean) => void;
  onSelect: (records: WireRecord[]) => void;
  onSelectAll: (on: boolean) => void;
  onColumns: (columns: ColumnChoice[]) => void;
  onError: (error: unknown) => void;
}

interface RowHolder {
  key: string;
  first: ListPage;
}

const moreColumn = 'row-actions';
/** Of the last column where rows show an action. */
const STEP_WIDTH = 208;
const touch = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

/**
 * The rows of a landing page: infinite scrolling, sorted by the server, opened by Enter or double click, edited in
 * cells where allowed. The grid renders itself: rows and cells as React components take a third longer.
 */
export default function RecordGrid(props: RecordGridProps) {
  const { columns, rowsKey, first, count, stale, sort, selectable, selected } = props;
  const hasSteps = props.step !== null;
  const host = useRef<HTMLDivElement>(null);
  const api = useRef<GridApi<WireRecord> | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  // Cells keep this object for as long as they live, so it only delegates.
  const [context] = useState<GridContext>(() => ({
    sort: () => latest.current.sort,
    nameOf: (record) => latest.current.nameOf(record),
    address: (record) => latest.current.address(record),
    open: (record, newTab) => latest.current.onOpen(record, newTab),
    step: (record) => latest.current.step?.(record) ?? null,
    go: (to) => latest.current.onGo(to),
    more: (record, target) => latest.current.onMore(record, target),
    sortBy: (field, add) => latest.current.onSort(field, add),
    ticked: () => tickState(latest.current),
    tickAll: (on) => latest.current.onSelectAll(on),
  }));

  // Widths follow the first rows: nothing moves while others are loaded.
  const [rows] = useState(first.data);
  const columnDefs = useMemo(
    () => [
      ...columns.map((column) => columnDef(column, rows)),
      hasSteps ? { ...actionColumn, width: STEP_WIDTH } : actionColumn,
    ],
    [columns, rows, hasSteps],
  );

  // One data source per key: its first rows are already there, further blocks are loaded as they scroll into view.
  const [failed] = useState(() => (thrown: unknown) => latest.current.onError(thrown));
  const source = useRef<RowHolder>(null);
  const [options] = useState((): GridOptions<WireRecord> => ({
    rowModelType: 'infinite',
    cacheBlockSize: props.size,
    maxBlocksInCache: 20,
    // The first rows are set right after, so no empty row is rendered before them.
    infiniteInitialRowCount: 1,
    rowBuffer: 6,
    rowHeight: touch ? 44 : 36,
    headerHeight: 40,
    columnDefs,
    context,
    getRowId: ({ data }) => String(data.id),
    maintainColumnOrder: false,
    suppressDragLeaveHidesColumns: true,
    suppressColumnVirtualisation: columns.length < 16,
    animateRows: false,
    ...selectionOptions(selectable),
    onCellDoubleClicked: ({ data, event, column }) => {
      const ctrl = event instanceof MouseEvent && event.ctrlKey;
      if (data && (ctrl || !editCell(latest.current, data, column, event?.target ?? null)))
        latest.current.onOpen(data, ctrl);
    },
    onCellKeyDown: (event) => keyDown(latest.current, event as CellKeyDownEvent<WireRecord>),
    // The page already knows about selections that it set itself.
    onSelectionChanged: ({ api: grid, source: by }) =>
      !by.startsWith('api') && latest.current.onSelect(selectedIn(grid, latest.current.selected)),
    onModelUpdated: ({ api: grid }) => tickSelected(grid, latest.current.selected),
    onColumnResized: ({ api: grid, finished, source: by }) =>
      finished && by === 'uiColumnResized' && keepColumns(grid, latest.current),
    onColumnMoved: ({ api: grid, finished, source: by }) =>
      finished && by === 'uiColumnMoved' && keepColumns(grid, latest.current),
  }));
  useLayoutEffect(() => {
    const { rowsKey: key, first: rowsOf, label } = latest.current;
    source.current = { key, first: rowsOf };
    const grid = createGrid<WireRecord>(host.current!, {
      ...options,
      datasource: rowSource(source.current, latest.current, failed),
    });
    grid.setGridAriaProperty('label', label);
    api.current = grid;
    return () => {
      api.current = null;
      grid.destroy();
    };
  }, [options, failed]);

  const drawn = useRef({ columnDefs, selectable, size: props.size });
  useEffect(() => {
    const before = drawn.current;
    drawn.current = { columnDefs, selectable, size: props.size };
    if (before.columnDefs !== columnDefs) api.current?.setGridOption('columnDefs', columnDefs);
    if (before.selectable !== selectable) api.current?.updateGridOptions(selectionOptions(selectable));
    if (before.size !== props.size) api.current?.setGridOption('cacheBlockSize', props.size);
  }, [columnDefs, selectable, props.size]);

  useEffect(() => {
    const grid = api.current;
    if (!grid || !source.current) return;
    if (source.current.key === rowsKey) {
      if (source.current.first === first) return;
      source.current.first = first;
      // The grid keeps its known end; a longer list continues after it.
      const more = first.pagination.has_next || first.pagination.more;
      if (more && grid.isLastRowIndexKnown())
        grid.setRowCount(Math.max(grid.getDisplayedRowCount(), first.data.length + 1), false);
      grid.refreshInfiniteCache();
      return;
    }
    source.current = { key: rowsKey, first };
    grid.setGridOption('datasource', rowSource(source.current, latest.current, failed));
  }, [rowsKey, first, failed]);

  // The full scrollbar appears as soon as the list is counted.
  useEffect(() => {
    const grid = api.current;
    if (!grid || stale || props.pages || !count || count.capped) return;
    // The list has grown since it was counted.
    if ((first.pagination.has_next || first.pagination.more) && count.count <= first.data.length) return;
    if (grid.getDisplayedRowCount() !== count.count) grid.setRowCount(count.count, true);
  }, [count, stale, props.pages, rowsKey, first]);

  // The grid renders its initial headings.
  const headed = useRef({ sort, selected, count });
  useEffect(() => {
    const before = headed.current;
    headed.current = { sort, selected, count };
    if (before.sort !== sort || before.selected !== selected || before.count !== count) api.current?.refreshHeader();
  }, [sort, selected, count]);

  useEffect(() => {
    api.current?.deselectAll();
    if (latest.current.selected.length > 0) latest.current.onSelect([]);
  }, [props.selectionTurn, rowsKey]);

  useEffect(() => {
    if (api.current) tickSelected(api.current, selected);
  }, [selected]);

  return <div ref={host} className={styles.grid} data-stale={stale ? '' : undefined} aria-busy={stale} />;
}

/** The cell with the name opens the record; an editable cell is edited. @returns whether it is */
function editCell(
  { inCells, onEdit }: RecordGridProps,
  record: WireRecord,
  column: Column,
  target: EventTarget | null,
): boolean {
  const name = column.getColId();
  const cell = target instanceof Element ? target.closest<HTMLElement>('.ag-cell') : null;
  if (!cell || column.getPinned() || !inCells.has(name)) return false;
  onEdit(record, name, cell);
  return true;
}

function keyDown(props: RecordGridProps, event: CellKeyDownEvent<WireRecord>): void {
  const pressed = event.event as KeyboardEvent | null;
  if (!pressed || !event.data || (pressed.key !== 'Enter' && pressed.key !== 'F2')) return;
  const plain = !pressed.ctrlKey && !pressed.metaKey;
  if (plain && editCell(props, event.data, event.column, pressed.target)) {
    pressed.preventDefault();
    return;
  }
  if (pressed.key === 'F2') return;
  if (event.column.getColId() === moreColumn) (pressed.target as HTMLElement).querySelector('button')?.click();
  else props.onOpen(event.data, pressed.ctrlKey || pressed.metaKey);
}

function keepColumns(grid: GridApi<WireRecord>, { columns, onColumns }: RecordGridProps): void {
  const choice = grid.getColumnState().flatMap((column): ColumnChoice[] => {
    const known = columns.find((one) => one.field.name === column.colId);
    // A width is the person's own only once it no longer follows the window size.
    return known
      ? [{ field: column.colId, hidden: column.hide === true, ...(!column.flex && { width: column.width ?? 0 }) }]
      : [];
  });
  onColumns(choice);
}

const selection = {
  mode: 'multiRow' as const,
  checkboxes: true,
  headerCheckbox: false,
  enableClickSelection: false,
  hideDisabledCheckboxes: true,
};
const selectionColumn: ColDef = {
  pinned: 'left',
  width: 40,
  minWidth: 40,
  resizable: false,
  suppressMovable: true,
  headerComponent: TickHead,
  suppressHeaderKeyboardEvent: ({ event, context }) => {
    if (event.key !== 'Enter' && event.key !== ' ') return false;
    if (event.type === 'keydown') (context as GridContext).tickAll((context as GridContext).ticked() !== 'all');
    return true;
  },
};
const selectionOptions = (on: boolean): Pick<GridOptions<WireRecord>, 'rowSelection' | 'selectionColumnDef'> =>
  on ? { rowSelection: selection, selectionColumnDef: selectionColumn } : {};

function tickState({ selected, count }: RecordGridProps): 'none' | 'some' | 'all' {
  if (selected.length === 0) return 'none';
  const max = count && !count.capped ? Math.min(count.count, MAX_SELECTED) : MAX_SELECTED;
  return selected.length >= max ? 'all' : 'some';
}

/** The current selection: of the loaded rows the ticked ones, of the others those selected before. */
function selectedIn(grid: GridApi<WireRecord>, before: WireRecord[]): WireRecord[] {
  const kept = new Map(before.map((record) => [record.id, record]));
  grid.forEachNode((node) => {
    if (!node.data) return;
    if (node.isSelected()) kept.set(node.data.id, node.data);
    else kept.delete(node.data.id);
  });
  return [...kept.values()];
}

/** Rows that come into view later are ticked like the others. */
function tickSelected(grid: GridApi<WireRecord>, selected: WireRecord[]): void {
  if (selected.length === 0) return;
  const ids = new Set(selected.map(({ id }) => id));
  grid.forEachNode((node) => {
    if (node.data && ids.has(node.data.id) && !node.isSelected()) node.setSelected(true, false, 'api');
  });
}

const actionColumn: ColDef<WireRecord> = {
  colId: moreColumn,
  headerName: '',
  pinned: 'right',
  width: 48,
  minWidth: 48,
  resizable: false,
  suppressMovable: true,
  sortable: false,
  cellRenderer: MoreCell,
  ...(styles.actionCell && { cellClass: styles.actionCell }),
};

function columnDef(column: ShownColumn, rows: readonly WireRecord[]): ColDef<WireRecord> {
  const { field, width, hidden, pinned } = column;
  const right = fieldType(field.type).align === 'right';
  const head = headWidth(headText(column.title, field));
  const { width: content, least } = contentWidth(field, head, rows);
  // A pinned column gets no share of the remaining width; its width must be set.
  const size = width
    ? { width: Math.max(width, head), flex: 0 }
    : pinned
      ? { width: Math.max(content, 140), flex: 0 }
      : { flex: content, minWidth: least };
  return {
    colId: field.name,
    headerName: column.title,
    hide: hidden,
    pinned: pinned ? 'left' : null,
    lockPinned: true,
    minWidth: head,
    ...size,
    sortable: false,
    headerComponent: RecordHead,
    headerComponentParams: { column_: column },
    suppressHeaderKeyboardEvent: ({ event, context }) => {
      if (event.key !== 'Enter' || !isSortable(field)) return false;
      if (event.type === 'keydown') (context as GridContext).sortBy(field.name, event.shiftKey);
      return true;
    },
    cellRenderer: RecordCell,
    cellRendererParams: { column_: column, link: pinned },
    ...(right && styles.right && { cellClass: styles.right, headerClass: styles.right }),
  };
}

/** Consecutive blocks use the server's cursor; a jump uses the page number. */
function rowSource(
  holder: RowHolder,
  { type, parameters, size, pages }: RecordGridProps,
  failed: (thrown: unknown) => void,
): IDatasource {
  const cursors = new Map<number, string>();
  const deliver = (params: IGetRowsParams, page: ListPage) => {
    const end = params.startRow + page.data.length;
    const more = page.pagination.has_next || page.pagination.more;
    if (more && page.cursor) cursors.set(end, page.cursor);
    params.successCallback(page.data, pages || !more ? end : undefined);
  };
  return {
    getRows: (params) => {
      if (params.startRow === 0) {
        deliver(params, holder.first);
        return;
      }
      const after = cursors.get(params.startRow);
      fetchRows(type, parameters, {
        page: Math.floor(params.startRow / size) + 1,
        size,
        ...(after !== undefined && { after }),
      })
        .then((page) => deliver(params, page))
        .catch((thrown: unknown) => {
          params.failCallback();
          failed(thrown);
        });
    },
  };
}
