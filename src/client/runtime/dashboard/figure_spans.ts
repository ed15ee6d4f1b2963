/** Columns of the twelve that a figure takes in a row of so many. */
const BESIDE = 2;
/** How many figures stand in each row of a run that would leave an empty place in its last row. */
const ROWS: Readonly<Record<number, readonly number[]>> = { 7: [4, 3], 8: [4, 4], 10: [6, 4] };

/** The columns that each tile takes if it is a figure: figures that follow each other fill their rows. */
export function figureSpans(kinds: readonly string[]): (number | undefined)[] {
  const spans: (number | undefined)[] = kinds.map(() => undefined);
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'figure') continue;
    const end = kinds.findIndex((kind, place) => place > at && kind !== 'figure');
    const run = (end === -1 ? kinds.length : end) - at;
    const rows = ROWS[run] ?? [];
    spans.fill(BESIDE, at, at + run);
    let from = at;
    for (const size of rows) {
      spans.fill(12 / size, from, from + size);
      from += size;
    }
    at += run;
  }
  return spans;
}
