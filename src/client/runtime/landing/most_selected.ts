/** The maximum number of records in one call, and in a selection. */
export const MAX_SELECTED = 1_000;
