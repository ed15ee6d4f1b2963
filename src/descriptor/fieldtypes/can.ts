/** The uses that a field's type allows: for lists, keys, reports, Excel and bulk changes. */
export interface Can {
  /** Name a record ("label"). */
  name: boolean;
  /** Order a list. */
  sort: boolean;
  /** Be part of a key. */
  key: boolean;
  /** Group a report. */
  group: boolean;
  /**
   * Be added up: wherever rows are shown (total), or if a descriptor asks for it. Whole numbers and plain decimals are
   * levels, years and rates more often than amounts.
   */
  sum: 'total' | 'asked' | false;
  /** Have a lowest and highest value in a report. */
  order: boolean;
  /** Be a column of a list: a short value by default, a long one if the descriptor asks for it. */
  cell: 'short' | 'long' | false;
  /** Fit in one cell of an Excel sheet. */
  excel: boolean;
  /** Be set to one value in many records at once. */
  bulk: boolean;
  /** Be an exact decimal of any length: a text on the wire. */
  exact: boolean;
  /** Be kept as a text. */
  text: boolean;
  /** Be the id of an uploaded file. */
  file: boolean;
  /** Appear in the text of a message. */
  message: boolean;
  /** Filter a report as its parameter. */
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

/** A value with its own structure, such as rows or a file. */
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

/** An exact decimal. */
export const EXACT_NUMBER: Can = { ...SHORT_VALUE, order: true, exact: true };
