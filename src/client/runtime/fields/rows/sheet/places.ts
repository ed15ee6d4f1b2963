/** A cell of the sheet. */
export interface Place {
  row: number;
  column: number;
}

/** A selection: from one corner to the other, both included. */
export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export interface Size {
  rows: number;
  columns: number;
}

const PAGE = 10;
const clamp = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));

/** The nearest cell within the sheet. */
export const within = ({ row, column }: Place, { rows, columns }: Size): Place => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
});

export const areaOf = (at: Place, from: Place | null): Area => ({
  top: Math.min(at.row, from?.row ?? at.row),
  bottom: Math.max(at.row, from?.row ?? at.row),
  left: Math.min(at.column, from?.column ?? at.column),
  right: Math.max(at.column, from?.column ?? at.column),
});

/** The target of a key, with or without Ctrl; null = none. */
export function ledTo(key: string, command: boolean, at: Place, { rows, columns }: Size): Place | null {
  const { row, column } = at;
  switch (key) {
    case 'ArrowDown':
      return { row: command ? rows - 1 : row + 1, column };
    case 'ArrowUp':
      return { row: command ? 0 : row - 1, column };
    case 'ArrowLeft':
      return { row, column: command ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: command ? columns - 1 : column + 1 };
    case 'Home':
      return { row: command ? 0 : row, column: 0 };
    case 'End':
      return { row: command ? rows - 1 : row, column: columns - 1 };
    case 'PageDown':
      return { row: row + PAGE, column };
    case 'PageUp':
      return { row: row - PAGE, column };
    default:
      return null;
  }
}

/** The next cell by Tab, which continues in the next row; null = after the last or before the first. */
export function nextPlace({ row, column }: Place, backwards: boolean, { rows, columns }: Size): Place | null {
  if (backwards) {
    if (column > 0) return { row, column: column - 1 };
    return row > 0 ? { row: row - 1, column: columns - 1 } : null;
  }
  if (column < columns - 1) return { row, column: column + 1 };
  return row < rows - 1 ? { row: row + 1, column: 0 } : null;
}
