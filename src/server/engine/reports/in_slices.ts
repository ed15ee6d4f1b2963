import { setImmediate } from 'node:timers/promises';

/** Computing one slice takes a few milliseconds. */
const SLICE = 250;

/** The rows in slices; between two of them the server answers other requests. */
export async function* inSlices<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += SLICE) {
    if (from > 0) await setImmediate();
    yield rows.slice(from, from + SLICE);
  }
}
