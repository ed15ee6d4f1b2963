const ADDED_ROWS = 'rows:';

/** The rows field to which an act adds, as `rows:photos` does; null for another act. */
export const addsRowsTo = (act: string): string | null =>
  act.startsWith(ADDED_ROWS) ? act.slice(ADDED_ROWS.length) : null;

/** How an act is called that adds rows to a field. */
export const addingRows = (field: string): string => `${ADDED_ROWS}${field}`;

/** Whether an act brings pairs of the old and the new value, by field. */
export const bringsPairs = (act: string): boolean => act === 'change' || addsRowsTo(act) !== null;
