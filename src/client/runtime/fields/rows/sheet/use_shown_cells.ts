import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useEffect, useMemo } from 'react';
import type { Field } from '../../../../../descriptor/types.ts';
import { columnPixels, columnWidth } from '../sheet_columns.ts';
import type { Place } from './places.ts';

const ROW_HEIGHT = 36;
/** The width of the row numbers. */
const NUMBERS = 44;
/** Up to this number all rows are rendered; beyond it, the visible ones. */
const SMALL = 40;
/**
 * With more columns than this, columns have fixed widths, the first is sticky, and only the visible ones are rendered.
 */
const NARROW = 12;

interface ShownOptions {
  keys: readonly number[];
  columns: Field[];
  /** The width of the area after the columns; empty = nothing. */
  tools: string;
  scroller: RefObject<HTMLDivElement | null>;
}

/** Which rows and columns of a sheet are rendered, and where. */
export function useShownCells({ keys, columns, tools, scroller }: ShownOptions) {
  const virtual = keys.length > SMALL;
  const wide = columns.length > NARROW;
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer gives new cells at each scroll: none is memoised
  const rows = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    enabled: virtual,
    // Rendered in the next frame: immediate rendering would make a fast scroll wait for each step.
    useFlushSync: false,
    getItemKey: (index) => keys[index] ?? index,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => columnPixels(columns[index]!),
    overscan: 3,
    enabled: wide,
    useFlushSync: false,
    paddingStart: NUMBERS,
    // The area behind the numbers and the first column is hidden.
    scrollPaddingStart: NUMBERS + (columns[0] ? columnPixels(columns[0]) : 0),
  });
  const template = useMemo(
    () =>
      [
        `${NUMBERS}px`,
        ...columns.map((column, index) => (wide ? `${columnPixels(column)}px` : columnWidth(column, index, columns))),
        tools,
      ]
        .join(' ')
        .trim(),
    [columns, wide, tools],
  );
  const seen = wide ? across.getVirtualItems() : [];
  const first = seen[0]?.index ?? 0;
  const last = wide ? (seen.at(-1)?.index ?? NARROW) : columns.length - 1;
  /** Their indexes; the first is always visible in a wide sheet. */
  const shownColumns = useMemo(
    () => columns.flatMap((_, at) => ((wide && at === 0) || (at >= first && at <= last) ? [at] : [])),
    [columns, wide, first, last],
  );
  const items = virtual ? rows.getVirtualItems() : null;
  const show = ({ row, column }: Place) => {
    if (wide && column > 0) across.scrollToIndex(column);
    if (virtual) rows.scrollToIndex(row);
    else scroller.current?.querySelector(`[data-row="${row}"]`)?.scrollIntoView?.({ block: 'nearest' });
  };
  // Before its frame is measured, a sheet shows its first columns.
  useEffect(() => {
    if (wide) across.measure();
  }, [across, wide, columns]);
  return {
    template,
    wide,
    shownColumns,
    shownRows: items ? items.map(({ index }) => index) : keys.map((_, index) => index),
    offset: items?.[0]?.start ?? 0,
    height: virtual ? rows.getTotalSize() : null,
    show,
  };
}
