import { formatNumber } from '../../../descriptor/format.ts';
import { AppError } from '../../db/errors.ts';
import type { RawRow } from './source_kind.ts';

/** Most rows of one run. */
export const MAX_ROWS = 500_000;
/** Rows taken at a time. */
export const SLICE = 5_000;

/** Slices of rows numbered from 1. @throws AppError 422 if a run exceeds the maximum */
export async function* numbered(slices: AsyncIterable<Record<string, unknown>[]>): AsyncGenerator<RawRow[]> {
  let row = 0;
  for await (const slice of slices) {
    if (row + slice.length > MAX_ROWS)
      throw new AppError(
        422,
        'invalid',
        `The source has more than ${formatNumber(MAX_ROWS)} rows. Import only changed rows, or narrow the query.`,
      );
    yield slice.map((cells) => ({ row: ++row, cells }));
  }
}

/** Combines single rows into slices. */
export async function* inSlices<T>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let slice: T[] = [];
  for await (const row of rows) {
    slice.push(row);
    if (slice.length < SLICE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
