import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import { UnitError, stockQuantity } from '../../../../domain/fms_stores/units.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { ratiosOf } from './described_movements.ts';
import { stockItems } from './lookups.ts';

/** A quantity of an item in the unit in which it was entered. */
export interface Quantity {
  item: number;
  condition: string;
  qty: string;
  uom: number | null;
}

/** The value of quantities at the averages of today; null where there is no average, or no conversion to the stock unit. */
export async function valueAtAverage(unit: Unit, quantities: readonly Quantity[]): Promise<(Decimal | null)[]> {
  const items = await stockItems(
    unit,
    quantities.map(({ item }) => item),
  );
  const ratio = await ratiosOf(unit, items);
  const uoms = await unit.query<{ id: number; code: string; decimals: number }>('select id, code, decimals from {uom}');
  const averages = await unit.query<{ item: number; condition: string; qty: string; value: string }>(
    'select item_id as item, condition, qty, value from {stock_value} where entity_id = $1 and item_id = any($2::bigint[]) and qty > 0',
    [unit.session.entityId, [...items.keys()]],
  );
  return quantities.map(({ item: id, condition, qty, uom }) => {
    const item = items.get(id);
    const known = averages.find((one) => Number(one.item) === id && one.condition === condition);
    if (!item || !known) return null;
    const stock = { code: item.uom, decimals: item.decimals };
    const isStock = uom === null || uom === item.stock_uom_id;
    const entered = uoms.find((one) => Number(one.id) === uom) ?? stock;
    try {
      const inStock = stockQuantity(new Exact(qty), entered, stock, isStock ? null : ratio(id, uom));
      return new Exact(known.value).times(inStock).dividedBy(known.qty).toDecimalPlaces(2);
    } catch (error) {
      if (error instanceof UnitError) return null;
      throw error;
    }
  });
}
