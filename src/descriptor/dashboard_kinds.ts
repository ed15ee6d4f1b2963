import type { TileKind, WrittenTile } from '../domain/dashboard.ts';
import { fieldType } from './fieldtypes/registry.ts';
import type { Source } from './source.ts';
import type { Field } from './types.ts';

/** How many columns that name something, and how many figures, a kind of tile draws. */
interface Needs {
  names: [min: number, max: number];
  figures: [min: number, max: number];
}

const NEEDS: Record<Exclude<TileKind, 'list' | 'search' | 'widget'>, Needs> = {
  figure: { names: [0, 0], figures: [1, 1] },
  gauge: { names: [0, 0], figures: [1, 4] },
  line: { names: [1, 2], figures: [1, 6] },
  bar: { names: [1, 2], figures: [1, 6] },
  donut: { names: [1, 1], figures: [1, 1] },
  heat: { names: [2, 2], figures: [1, 1] },
  funnel: { names: [0, 1], figures: [1, 8] },
  waterfall: { names: [0, 1], figures: [1, 12] },
  treemap: { names: [1, 2], figures: [1, 1] },
  calendar: { names: [1, 1], figures: [1, 1] },
};

/** Kinds that can draw one figure which a formula computes from the measures behind it. */
const COMPUTED: ReadonlySet<TileKind> = new Set(['figure', 'heat', 'line']);

/** Whether a column is a figure; all else names what the figures are of. */
export const isFigure = ({ type }: Pick<Field, 'type'>): boolean => fieldType(type).filter === 'number';

const between = ([min, max]: [number, number]) =>
  min === max ? String(min) : max === min + 1 ? `${min} or ${max}` : `${min} to ${max}`;

/** Whether a tile draws its first figure alone, because a formula computes it from the others. */
export const isComputed = ({ kind, from }: Pick<WrittenTile, 'kind' | 'from'>): boolean =>
  COMPUTED.has(kind) && from?.measures?.[0]?.formula !== undefined;

/** Finds what a tile's kind cannot draw. */
export function checkTileKind(tile: WrittenTile, columns: readonly Field[], source: Source): void {
  const { kind, name } = tile;
  if (kind === 'widget' ? tile.widget === undefined || tile.source === undefined : tile.widget !== undefined)
    source.report(
      ['widget'],
      kind === 'widget' ? `"${name}" needs "widget" and "source".` : 'Only a tile of kind widget has a component.',
      'A widget names its component and the function that gives its data.',
    );
  if (kind === 'gauge' ? tile.of === undefined : tile.of !== undefined)
    source.report(
      ['of'],
      kind === 'gauge' ? 'A gauge needs its whole.' : 'Only a gauge has a whole.',
      'Write "of" with the name of a figure or a number.',
    );
  if (kind === 'search' && tile.from === undefined)
    source.report(['from'], 'A search finds records of a type.', 'Write "from": { "type": "…" }.');
  if (kind === 'list' || kind === 'search' || kind === 'widget') return;
  const figures = columns.filter(isFigure).slice(0, isComputed(tile) ? 1 : undefined);
  const names = columns.filter((column) => !isFigure(column));
  const needs = NEEDS[kind];
  const fits = (count: number, [min, max]: [number, number]) => count >= min && count <= max;
  if (!fits(names.length, needs.names) || !fits(figures.length, needs.figures))
    source.report(
      ['kind'],
      `A ${kind} has ${between(needs.names)} groups and ${between(needs.figures)} figures; "${name}" has ${names.length} and ${figures.length}.`,
      'Choose another kind, or other groups and measures.',
    );
  // Two groups are drawn as the rows and the series of one figure.
  if (names.length === 2 && figures.length > 1)
    source.report(['kind'], `Of two groups "${name}" draws one figure.`, 'Leave out a group or the other measures.');
  if (kind === 'calendar' && names.some(({ type }) => type !== 'date'))
    source.report(['kind'], 'A calendar has days.', 'Group by { "field": "…", "by": "day" }.');
  if (typeof tile.of === 'string' && !figures.some((column) => column.name === tile.of))
    source.report(['of'], `There is no figure "${tile.of}".`, 'Name one of the measures.');
}
