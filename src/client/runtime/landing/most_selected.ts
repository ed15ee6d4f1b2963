/** Records that one call changes at most, and that are selected at a time. */
export const MOST_SELECTED = 1_000;
