const ADDED_ROWS = 'rows:';

/** The rows field to which an action adds, for instance `rows:photos`; null for another action. */
export const addsRowsTo = (act: string): string | null =>
  act.startsWith(ADDED_ROWS) ? act.slice(ADDED_ROWS.length) : null;

/** The name of an action that adds rows to a field. */
export const addingRows = (field: string): string => `${ADDED_ROWS}${field}`;

/** Whether an action contains pairs of old and new value, by field. */
export const bringsPairs = (act: string): boolean => act === 'change' || addsRowsTo(act) !== null;
