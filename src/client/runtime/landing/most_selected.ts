/** Records that one call changes at most, and that are selected at a time. */
export const MAX_SELECTED = 1_000;
