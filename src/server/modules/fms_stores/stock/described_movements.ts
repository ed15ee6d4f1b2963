import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import { compileExpression } from '../../../../descriptor/expression/compile_expression.ts';
import { ExpressionError, fromPlain } from '../../../../descriptor/expression/value.ts';
import type { Value } from '../../../../descriptor/expression/value.ts';
import { batchesToIssue } from '../../../../domain/fms_stores/supply_plan.ts';
import { UnitError, stockQuantity } from '../../../../domain/fms_stores/units.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { StockItem } from './lookups.ts';
import { stockItems } from './lookups.ts';
import type { Condition, Movement } from './movement.ts';
import type { AutomaticKind } from './points.ts';
import { kitOf, pointOfSite } from './points.ts';
import { dayOfMoment } from './posting_time.ts';
import { receivedBatch, receivedSerials } from './received.ts';

type Row = Record<string, unknown>;

/** The descriptor of one movement per row; texts are expressions over the row, then the record. */
export interface DescribedMovement {
  /** Rows of the record; default `lines`. */
  rows?: string;
  /** Only rows for which this is true. */
  when?: string;
  item?: string;
  condition?: string;
  to_condition?: string;
  qty: string;
  /** The unit of the quantity; default: the stock unit. */
  uom?: string;
  /** A stock point, or `transit_of(…)`, `faulty_of(…)`, `quarantine_of(…)`, `on_loan_of(…)`, `scrap_of(…)`, `kit_of(employee, store)`. */
  from?: string;
  to?: string;
  /** Where batches have less, only what they have. */
  up_to_free?: true;
  batch?: string;
  serials?: string;
  bin?: string;
  to_bin?: string;
  /** The total value of a receipt; with `fixed`, of an issue. */
  value?: string;
  fixed?: boolean;
  revalues?: boolean;
  /** The line of the document `reserved_by` whose reservation is used. */
  reserved?: string;
  reserved_by?: string;
  reason?: string;
  /**
   * For receipts: numbers of new pieces (a single text counts for items with serial numbers only), batch number, date of
   * manufacture, vendor and owner.
   */
  new_serials?: string;
  new_batch?: string;
  made_on?: string;
  vendor?: string;
  owner?: string;
}

/** The value of an expression over a row and its record; decimal texts count as numbers. */
export function valueFor(text: string, ...layers: readonly Row[]): Value {
  const expression = compileExpression(text);
  const scope = Object.fromEntries(
    expression.names.map((name) => {
      const layer = layers.find((one) => name in one);
      const value = layer?.[name] ?? null;
      return [name, typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? new Exact(value) : fromPlain(value)];
    }),
  );
  try {
    return expression.evaluate(scope);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

const decimalOf = (value: Value): Decimal | null => (value === null || value === '' ? null : new Exact(String(value)));
const idOf = (value: Value): number | null => (value === null ? null : Number(String(value)));
const textOf = (value: Value): string | null => (value === null || value === '' ? null : String(value));

const AUTOMATIC = /^(transit|faulty|quarantine|on_loan|scrap)_of\((.+)\)$/;
const KIT = /^kit_of\((.+),(.+)\)$/;

/** The stock point that a descriptor names. */
async function pointFor(unit: Unit, text: string | undefined, layers: readonly Row[]): Promise<number | null> {
  if (text === undefined) return null;
  const automatic = AUTOMATIC.exec(text);
  if (automatic) {
    const beside = idOf(valueFor(automatic[2]!, ...layers));
    return beside === null ? null : pointOfSite(unit, automatic[1] as AutomaticKind, beside);
  }
  const kit = KIT.exec(text);
  if (kit) {
    const [employee, store] = [idOf(valueFor(kit[1]!, ...layers)), idOf(valueFor(kit[2]!, ...layers))];
    return employee === null || store === null ? null : kitOf(unit, employee, store);
  }
  return idOf(valueFor(text, ...layers));
}

interface Ratio {
  item: number;
  uom: number;
  from_qty: string;
  to_qty: string;
}

/** The conversion of units to the stock unit of each item: by the item, otherwise by the unit itself. */
export async function ratiosOf(
  unit: Unit,
  items: ReadonlyMap<number, StockItem>,
): Promise<(item: number, uom: number) => Ratio | null> {
  const own = await unit.query<Ratio>(
    'select parent_id as item, uom_id as uom, from_qty, to_qty from {item_mstr.unit_ratios} where parent_id = any($1::bigint[])',
    [[...items.keys()]],
  );
  const shared = await unit.query<{ uom: number; to: number; from_qty: string; to_qty: string }>(
    'select parent_id as uom, to_uom_id as to, from_qty, to_qty from {uom.conversions} where to_uom_id = any($1::bigint[])',
    [[...items.values()].map(({ stock_uom_id: id }) => id)],
  );
  return (item, uom) =>
    own.find((one) => one.item === item && one.uom === uom) ??
    shared
      .filter((one) => one.uom === uom && one.to === items.get(item)?.stock_uom_id)
      .map(({ from_qty, to_qty }) => ({ item, uom, from_qty, to_qty }))[0] ??
    null;
}

/** The movements of a record by its descriptor: quantities in the stock unit; missing stock points are created. */
export async function movementsOf(
  unit: Unit,
  record: WireRecord,
  described: readonly DescribedMovement[],
): Promise<{ movements: Movement[]; rows: number[] }> {
  const all = described.flatMap((one) =>
    (one.rows === '' ? [{ ...record, id: null } as Row] : ((record[one.rows ?? 'lines'] ?? []) as Row[])).map(
      (row, place) => ({ one, row, place }),
    ),
  );
  const wanted = all.filter(({ one, row }) => {
    if (one.when !== undefined && valueFor(one.when, row, record) !== true) return false;
    const qty = decimalOf(valueFor(one.qty, row, record));
    return one.revalues === true || (qty !== null && !qty.isZero());
  });
  const itemOf = (one: DescribedMovement, row: Row) => idOf(valueFor(one.item ?? 'item_id', row, record)) ?? 0;
  const items = await stockItems(
    unit,
    wanted.map(({ one, row }) => itemOf(one, row)),
  );
  const ratio = await ratiosOf(unit, items);
  const uoms = new Map(
    (await unit.query<{ id: number; code: string; decimals: number }>('select id, code, decimals from {uom}')).map(
      (one) => [Number(one.id), one],
    ),
  );
  const movements: Movement[] = [];
  const rows: number[] = [];
  for (const { one, row, place } of wanted) {
    const layers = [row, record];
    const get = (text: string | undefined) => (text === undefined ? null : valueFor(text, ...layers));
    const item = items.get(itemOf(one, row));
    if (!item) unit.refuse([{ field: `lines.${place}.item_id`, message: 'Choose an item that is stocked.' }]);
    const entered = decimalOf(get(one.qty)) ?? new Exact(0);
    const uom = idOf(get(one.uom)) ?? item!.stock_uom_id;
    let qty = entered;
    const stock = { code: item!.uom, decimals: item!.decimals };
    const known = ratio(item!.id, uom);
    if (uom !== item!.stock_uom_id && !known)
      unit.refuse([
        {
          field: `lines.${place}.uom_id`,
          message: `${item!.item_code} has no conversion from ${uoms.get(uom)?.code ?? 'this unit'} to ${item!.uom}. Enter it with the item.`,
        },
      ]);
    try {
      qty = stockQuantity(entered, uoms.get(uom) ?? stock, stock, uom === item!.stock_uom_id ? null : known);
    } catch (error) {
      if (!(error instanceof UnitError)) throw error;
      unit.refuse([{ field: `lines.${place}.qty`, message: error.message }]);
    }
    const from = await pointFor(unit, one.from, layers);
    const to = await pointFor(unit, one.to, layers);
    if ((one.from !== undefined && from === null) || (one.to !== undefined && to === null))
      unit.refuse([{ field: '', message: 'Choose the stock point.' }]);
    const line = idOf((row.id ?? null) as Value);
    const condition = (textOf(get(one.condition)) ?? 'new') as Condition;
    const own: Omit<Movement, 'qty' | 'batch' | 'serials'> = {
      item: item!.id,
      condition,
      ...(one.to_condition !== undefined && { toCondition: textOf(get(one.to_condition)) as Condition }),
      from,
      to,
      bin: idOf(get(one.bin)),
      toBin: idOf(get(one.to_bin)),
      value: decimalOf(get(one.value)),
      fixed: one.fixed === true,
      revalues: one.revalues === true,
      line,
      reason: textOf(get(one.reason)),
      reserved:
        one.reserved === undefined || get(one.reserved) === null
          ? null
          : { type: one.reserved_by ?? '', line: idOf(get(one.reserved))! },
    };
    let batch = idOf(get(one.batch));
    const batchNo = textOf(get(one.new_batch));
    const given = { vendor: idOf(get(one.vendor)), owner: idOf(get(one.owner)), made: textOf(get(one.made_on)) };
    if (batch === null && batchNo !== null && from === null)
      batch = await receivedBatch(unit, item!, { no: batchNo, ...given });
    const serials = get(one.serials);
    const numbers = numbersOf(get(one.new_serials), item!);
    const ids = Array.isArray(serials) ? serials.map((id) => Number(String(id))) : [];
    if (ids.length === 0 && numbers !== null && from === null)
      ids.push(
        ...(await receivedSerials(unit, item!, numbers, {
          batch,
          condition: own.toCondition ?? condition,
          no: textOf((record.grn_no ?? null) as Value),
          line,
        })),
      );
    const parts =
      item!.tracking === 'batch' && batch === null && from !== null
        ? await nextBatches(unit, item!, condition, from, qty, one.up_to_free === true)
        : [{ batch, qty }];
    for (const part of parts) {
      movements.push({ ...own, qty: part.qty, batch: part.batch, serials: ids });
      rows.push(place);
    }
  }
  return { movements, rows };
}

/** The serial numbers of received pieces, from a list or the only one; null = none were entered. */
function numbersOf(entered: Value, { tracking }: StockItem): string[] | null {
  if (Array.isArray(entered)) return entered.map(String);
  const only = textOf(entered);
  return tracking === 'serial' && only !== null ? [only] : null;
}

/** The batches to issue if nobody has chosen: first expired, first out (5.10). */
async function nextBatches(
  unit: Unit,
  item: StockItem,
  condition: Condition,
  point: number,
  qty: Decimal,
  upToFree: boolean,
): Promise<{ batch: number | null; qty: Decimal }[]> {
  const rows = await unit.query<{
    id: number;
    batch_no: string;
    free: string;
    expires: string | null;
    min_days: number | null;
  }>(
    `select b.id, b.batch_no, (s.on_hand - s.reserved)::text as free, greatest(b.expires_on, b.extended_to)::text as expires, l.min_days_on_issue as min_days
     from {stock_balance} s join {stock_batch} b on b.id = s.batch_id join {item_mstr} i on i.id = s.item_id
     left join {shelf_life} l on l.id = i.shelf_life_id
     where s.entity_id = $1 and s.item_id = $2 and s.condition = $3 and s.stock_point_id = $4 and not coalesce(b.blocked, false) and b.owner_customer_id is null`,
    [unit.session.entityId, item.id, condition, point],
  );
  const { taken, short } = batchesToIssue(
    qty.toString(),
    dayOfMoment(unit, unit.at),
    rows[0]?.min_days ?? 0,
    rows.map(({ batch_no: batch, expires: expiresOn, free }) => ({ batch, expiresOn, free })),
  );
  if (!upToFree && new Exact(short).isPositive() && !new Exact(short).isZero())
    unit.refuse(
      [
        {
          field: 'lines',
          message: `Only ${qty.minus(short).toString()} ${item.uom} of ${item.item_code} ${item.name} is available in batches that may be issued.`,
        },
      ],
      409,
    );
  return taken.map(({ batch, qty: part }) => ({
    batch: rows.find((one) => one.batch_no === batch)!.id,
    qty: new Exact(part),
  }));
}
