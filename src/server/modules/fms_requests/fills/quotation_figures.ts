import { supplyOf } from '../../../../domain/fms/supply.ts';
import type { QuotedSupply, TaxedLine } from '../../../../domain/fms_stores/parts_quotation.ts';
import { cardPack, taxedLine } from '../../../../domain/fms_stores/parts_quotation.ts';
import { marginPercent, minimumPrice } from '../../../../domain/fms_stores/selling_price.ts';
import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { sellingPrices } from '../cover_facts.ts';
import { dayOfAct } from '../request_day.ts';
import { rowsOf } from '../request_lines.ts';
import { storesSetting } from '../stores_setting.ts';

type Row = Record<string, unknown>;

/** The GST rate in percent of codes on a day, by the number of the code. */
async function gstRates(unit: Unit, codes: readonly number[], day: string): Promise<Map<number, string>> {
  const rows = await unit.query<{ id: number; rate: string }>(
    `select v.id, t.rate from (select unnest($1::bigint[]) as id) v
     join lateral (select r.tax_id from {hs_code.rates} r where r.parent_id = v.id and r.valid_from <= $2::date order by r.valid_from desc limit 1) h on true
     join lateral (select x.igst as rate from {tax_rate} x where x.tax_id = h.tax_id and x.active and x.valid_from <= $2::date
       and coalesce(x.valid_to, 'infinity') >= $2::date order by x.valid_from desc limit 1) t on true`,
    [[...new Set(codes)], day],
  );
  return new Map(rows.map(({ id, rate }) => [Number(id), rate]));
}

/** Whether the supply is within the state of the branch's registration. */
async function supplyFor(unit: Unit, record: Row): Promise<'intra' | 'inter' | 'exempt' | null> {
  const [row] = await unit.query<{ supplier: string | null; place: string | null; sez: boolean }>(
    `select left(coalesce((select b.gstin from {branch} b where b.id = $1), (select e.gstin from {entity} e where e.id = $2)), 2) as supplier,
       (select s.gst_code from {state_mstr} s where s.id = $3) as place,
       coalesce((select c.gst_treatment = 'sez' from {customer_dtl} c where c.id = $4), false) as sez`,
    [record.branch_id ?? null, unit.session.entityId, record.place_of_supply ?? null, record.customer_id ?? null],
  );
  return supplyOf({
    supplier: row?.supplier ?? null,
    building: row?.place ?? null,
    recipient: null,
    place: 'building',
    isSez: row?.sez ?? false,
  });
}

/** Average cost of one new piece, and the minimum margin, by item. */
async function costsOf(unit: Unit, items: readonly number[]) {
  const rows = await unit.query<{ id: number; cost: string | null; margin: string | null }>(
    `select i.id, v.value / nullif(v.qty, 0) as cost, coalesce(i.min_margin, c.min_margin) as margin
     from {item_mstr} i left join {item_category} c on c.id = i.item_category_id
     left join {stock_value} v on v.item_id = i.id and v.condition = 'new' and v.entity_id = $2
     where i.id = any($1::bigint[])`,
    [items, unit.session.entityId],
  );
  return new Map(rows.map((row) => [Number(row.id), row]));
}

const ZERO: TaxedLine = { gross: '0.00', taxable: '0.00', cgst: '0.00', sgst: '0.00', igst: '0.00', total: '0.00' };

/** Tax, lowest rate and margin of a parts quotation (5.11, 5.13); the price of a card pack is spread over its cards. */
export const quotationFigures: Fill = {
  async run({ unit, record }) {
    const lines = rowsOf(record) as Row[];
    const day = typeof record.quote_date === 'string' ? record.quote_date : dayOfAct(unit, record);
    const supply = await supplyFor(unit, record);
    const rates = await gstRates(
      unit,
      lines.flatMap(({ hs_code_id: id }) => (typeof id === 'number' ? [id] : [])),
      day,
    );
    const items = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const branch = typeof record.branch_id === 'number' ? record.branch_id : null;
    const prices = await sellingPrices(unit, items, branch, day);
    const costs = await costsOf(unit, items);
    const { min_margin: usual } = await storesSetting(unit);
    const gstOf = ({ hs_code_id: id }: Row) => (supply === 'exempt' ? '0' : (rates.get(id as number) ?? null));
    const within: QuotedSupply = supply === 'inter' ? 'inter' : 'intra';
    const asked = lines.map((line) => ({
      qty: String(line.qty ?? 0),
      rate: String(line.rate ?? 0),
      discount: String((record.format === 'card_pack' ? record.pack_discount : line.discount) ?? 0),
      gst: gstOf(line) ?? '0',
    }));
    const taxed =
      record.format === 'card_pack' && asked.length > 0
        ? cardPack(asked, { discount: asked[0]!.discount, gst: asked[0]!.gst, supply: within }).lines
        : asked.map((line) => taxedLine(line, within));
    return {
      supply,
      lines: lines.map((line, at) => {
        const figures = taxed[at] ?? ZERO;
        const qty = new Exact(asked[at]!.qty);
        const price = prices.get(line.item_id as number);
        const known = costs.get(line.item_id as number);
        const cost = known?.cost == null ? null : new Exact(known.cost).toDecimalPlaces(2).toFixed(2);
        const net = qty.isZero() ? new Exact(0) : new Exact(figures.taxable).dividedBy(qty);
        const least = minimumPrice({
          minRate: price?.minRate ?? null,
          cost,
          marginPercent: known?.margin ?? usual,
        });
        const overDiscount = new Exact(asked[at]!.discount).greaterThan(price?.maxDiscount ?? 0);
        return {
          gst_rate: gstOf(line),
          ...figures,
          least_rate: typeof line.item_id === 'number' ? least : null,
          max_discount: price?.maxDiscount ?? null,
          cost,
          margin: marginPercent(net.toFixed(4), cost),
          // The customer's share of covered parts is not a price of its own.
          below_least:
            typeof line.item_id === 'number' && line.is_share !== true && (net.lessThan(least) || overDiscount),
        };
      }),
    };
  },
};
