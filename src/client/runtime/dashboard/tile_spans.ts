import type { Tile } from '../../../domain/dashboard.ts';

const COLUMNS = 12;
/** Columns that a kind takes before the rows are filled; all others take half a row. */
const USUAL: Readonly<Partial<Record<Tile['kind'], number>>> = { figure: 2, gauge: 4, donut: 4, calendar: 4 };
const HALF = 6;
/** How many figures stand in each row of a run that would leave an almost empty last row. */
const ROWS: Readonly<Record<number, readonly number[]>> = { 7: [4, 3], 8: [4, 4], 10: [6, 4] };

type Placed = Pick<Tile, 'kind'> & { wide?: boolean | undefined };

/** The usual columns of tiles; figures that follow each other share their rows evenly. */
function usualSpans(tiles: readonly Placed[]): number[] {
  const spans = tiles.map(({ kind, wide }) => (wide ? COLUMNS : (USUAL[kind] ?? HALF)));
  for (let at = 0; at < tiles.length; at++) {
    const isFigure = ({ kind, wide }: Placed) => kind === 'figure' && !wide;
    if (!isFigure(tiles[at]!)) continue;
    const end = tiles.findIndex((tile, place) => place > at && !isFigure(tile));
    const run = (end === -1 ? tiles.length : end) - at;
    let from = at;
    for (const size of ROWS[run] ?? []) {
      spans.fill(COLUMNS / size, from, from + size);
      from += size;
    }
    at += run;
  }
  return spans;
}

/** The columns that each tile takes, so that every row is full: what a row has left is shared by its charts and lists. */
export function tileSpans(tiles: readonly Placed[]): number[] {
  const spans = usualSpans(tiles);
  const rows: { free: number; places: number[] }[] = [];
  for (const [at, span] of spans.entries()) {
    // Later tiles move up into the first row that has room for them, as the grid places them.
    const row = rows.find(({ free }) => free >= span);
    if (row) {
      row.free -= span;
      row.places.push(at);
    } else rows.push({ free: COLUMNS - span, places: [at] });
  }
  for (const { free, places } of rows) {
    const charts = places.filter((at) => tiles[at]!.kind !== 'figure');
    const shared = charts.length > 0 ? charts : places;
    shared.forEach((at, place) => {
      spans[at]! += Math.floor(free / shared.length) + (place < free % shared.length ? 1 : 0);
    });
  }
  return spans;
}
