import type { Field } from '../../../../../descriptor/types.ts';
import type { RowTree } from '../../../../../descriptor/row_tree.ts';
import { decimalOf } from '../../../../../descriptor/fieldtypes/decimal_numbers.ts';
import { fieldType } from '../../../../../descriptor/fieldtypes/registry.ts';
import { spreadByWeight, spreadOver } from '../../../../../domain/spread/spread.ts';
import type { Row } from '../sheet_values.ts';
import { unitOfCells } from '../sheet_values.ts';

interface Spreading {
  tree: RowTree;
  columns: readonly Field[];
  rows: readonly Row[];
  /** Indexes of the group's rows. */
  places: readonly number[];
  column: Field;
  /** In stored form; null = its cells are emptied. */
  total: unknown;
  closed: (place: number, column: Field) => boolean;
}

/**
 * The cells of a group's rows, by row, that add up to a figure typed on the group; for a total of periods, across its
 * periods. Closed cells keep their values.
 * @throws SpreadError if no cell is open, or the distribution is undefined
 */
export function spreadDown({ tree, columns, rows, places, column, total, closed }: Spreading) {
  const targets = (column.spreads ?? [column.name]).flatMap((name) => columns.find((one) => one.name === name) ?? []);
  const cells = places.flatMap((place) =>
    targets.map((target) => {
      const value = decimalOf(rows[place]![target.name]);
      const weight = tree.weigh === undefined ? 1 : decimalOf(rows[place]![tree.weigh]);
      return { place, target, value, weight, held: closed(place, target) };
    }),
  );
  const patches = new Map<number, Record<string, unknown>>();
  const put = (place: number, target: Field, value: unknown) => {
    const patch = patches.get(place) ?? {};
    patch[target.name] = value;
    patches.set(place, patch);
  };
  const figure = decimalOf(total);
  if (figure === null) {
    for (const { place, target, held } of cells) if (!held) put(place, target, null);
    return patches;
  }
  const unit = unitOfCells(targets[0]!);
  const parts =
    tree.spread === 'even' || tree.weigh !== undefined
      ? spreadByWeight(figure, cells, unit)
      : spreadOver(figure, cells, unit);
  cells.forEach(({ place, target, held }, at) => {
    if (held) return;
    const parsed = fieldType(target.type).parse(parts[at]!.toFixed(), target);
    put(place, target, 'value' in parsed ? parsed.value : null);
  });
  return patches;
}
