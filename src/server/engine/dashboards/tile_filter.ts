import type { Tile } from '../../../domain/dashboard.ts';
import type { Days } from '../../../domain/dashboard_span.ts';
import { onPageDay } from '../../../domain/dashboard.ts';
import { comparedDays, dayOfMonth, daysOf } from '../../../domain/dashboard_span.ts';
import type { FilterExpression } from '../../../descriptor/types.ts';

/** What the reader's choice and the day make of a tile. */
export interface TileFilter {
  /** The condition of the records that it counts. */
  filter: FilterExpression | null;
  /** The same of the days that it is compared with. */
  earlier: { filter: FilterExpression; days: Days } | null;
}

const given = (value: unknown) => value !== null && value !== undefined;

/** The condition of a tile's records: its own, its days, and what the reader chose. */
export function filterOfTile(
  tile: Tile,
  own: FilterExpression | undefined,
  chosen: Readonly<Record<string, unknown>>,
  { today, fyStartMonth }: { today: string; fyStartMonth: number },
): TileFilter {
  const dayAt = (name: string | undefined) =>
    name === undefined ? today : dayOfMonth((chosen[name] ?? null) as string | null, today);
  const asOf = dayAt(tile.past?.at);
  const condition = tile.past && asOf < today ? onPageDay(tile.past.filter, asOf) : own;
  const parts: FilterExpression[] = condition ? [condition] : [];
  const day = dayAt(tile.span?.at);
  let days: Days | null = tile.span && daysOf(tile.span, day, fyStartMonth, tile.compare !== undefined);
  for (const { field, by } of tile.narrow) {
    if (!Array.isArray(by)) {
      if (given(chosen[by])) parts.push([field, 'eq', chosen[by]]);
      continue;
    }
    const [first, last] = by.map((name) => (name === null ? null : ((chosen[name] ?? null) as string | null))) as Days;
    if (first === null && last === null) continue;
    // Days that the reader chose stand in place of the tile's own.
    if (field === tile.span?.of) days = [first ?? days![0], last ?? days![1]];
    else parts.push([field, 'between', [first, last]]);
  }
  const within = (span: Days | null) => joined(span && tile.span ? [...parts, [tile.span.of, 'between', span]] : parts);
  const before = days && tile.compare && tile.span ? comparedDays(days, tile.compare, tile.span) : null;
  return { filter: within(days), earlier: before && { filter: within(before)!, days: before } };
}

function joined(parts: FilterExpression[]): FilterExpression | null {
  return parts.length <= 1 ? (parts[0] ?? null) : ['and', ...parts];
}
