/** What a field may be used for, by its type: what lists, keys, reports, Excel and bulk changes ask. */
export interface Can {
  /** Name a record ("label"). */
  name: boolean;
  /** Order a list. */
  sort: boolean;
  /** Be part of a key. */
  key: boolean;
  /** Make the groups of a report. */
  group: boolean;
  /**
   * Be added up: wherever rows are shown (total), or where a descriptor asks for it. Whole numbers and plain decimals are
   * levels, years and rates more often than amounts.
   */
  sum: 'total' | 'asked' | false;
  /** Have a lowest and a highest value in a report. */
  order: boolean;
  /** Stand in a column of a list: a short value by itself, a long one if the descriptor asks for it. */
  cell: 'short' | 'long' | false;
  /** Stand in one cell of an Excel sheet. */
  excel: boolean;
  /** Be set to one value in many records at once. */
  bulk: boolean;
  /** Be a decimal of any length, kept exactly: a text on the wire. */
  exact: boolean;
  /** Be kept as a text. */
  text: boolean;
  /** Be the number of an uploaded file. */
  file: boolean;
  /** Stand in the text of a message. */
  message: boolean;
  /** Narrow a report as its parameter. */
  narrow: boolean;
  /** Have a fixed value in "x-ref-filter". */
  fixed: boolean;
}

/** A short value: what most types can do. */
export const SHORT_VALUE: Can = {
  name: false,
  sort: true,
  key: true,
  group: false,
  sum: false,
  order: false,
  cell: 'short',
  excel: true,
  bulk: true,
  exact: false,
  text: false,
  file: false,
  message: true,
  narrow: false,
  fixed: false,
};

/** Something with parts of its own, such as rows or a file. */
export const WITH_PARTS: Can = {
  ...SHORT_VALUE,
  sort: false,
  key: false,
  cell: false,
  excel: false,
  bulk: false,
  message: false,
};

/** A text of one line. */
export const TEXT_VALUE: Can = { ...SHORT_VALUE, name: true, text: true };

/** A whole number. */
export const WHOLE_NUMBER: Can = { ...SHORT_VALUE, order: true };

/** A decimal that is kept exactly. */
export const EXACT_NUMBER: Can = { ...SHORT_VALUE, order: true, exact: true };
