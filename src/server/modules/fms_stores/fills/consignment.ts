import { Exact } from '../../../../descriptor/exact.ts';
import { consignmentValue, ewayNeeded, gstDocument, taxOfLine } from '../../../../domain/fms_stores/consignment.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { gstRates } from '../stock/gst_rates.ts';
import { storesSetting } from '../stock/lookups.ts';

type Row = Record<string, unknown>;

interface Place {
  id: number;
  gstin: string | null;
  state: number;
  eway_limit: string | null;
}

/**
 * The transport document of a transfer, the registrations that it moves between, the value and tax of each line, their
 * value with tax, and whether an e-way bill is needed (5.17).
 */
export const consignment: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    const places = await unit.query<Place>(
      `select p.id, b.gstin, s.state_id as state, t.eway_limit from {stock_point} p join {storage_location} l on l.id = p.storage_location_id
       join {site_mstr} s on s.id = l.site_id join {business_centre} b on b.id = s.business_centre_id join {state_mstr} t on t.id = s.state_id
       where p.id = any($1::bigint[])`,
      [[record.from_stock_point_id, record.to_stock_point_id].filter((id) => typeof id === 'number')],
    );
    const [from, to] = [record.from_stock_point_id, record.to_stock_point_id].map((id) =>
      places.find((one) => one.id === id),
    );
    if (!from || !to)
      return {
        gst_document: null,
        consignment_value: null,
        eway_needed: null,
        from_gstin: from?.gstin ?? null,
        to_gstin: to?.gstin ?? null,
        lines: lines.map(() => ({ value: null, gst_rate: null, tax: null })),
      };
    const items = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const rates = await gstRates(unit, items, String(record.transfer_date ?? dayOfRecord(unit, record)));
    const values = await unit.query<{ item: number; condition: string; qty: string; value: string }>(
      'select item_id as item, condition, qty, value from {stock_value} where entity_id = $1 and item_id = any($2::bigint[]) and qty > 0',
      [unit.session.entityId, items],
    );
    const valued = lines.map(({ item_id: id, condition, qty }) => {
      const known = values.find((one) => one.item === id && one.condition === condition);
      const value = known
        ? new Exact(known.value)
            .times(String(qty ?? 0))
            .dividedBy(known.qty)
            .toFixed(2)
        : '0.00';
      return { value, gst_rate: rates.get(Number(id)) ?? null };
    });
    const total = consignmentValue(valued);
    const { eway_limit_default: usual } = await storesSetting(unit);
    return {
      from_gstin: from.gstin,
      to_gstin: to.gstin,
      lines: valued.map((one) => ({ ...one, tax: taxOfLine(one.value, one.gst_rate) })),
      gst_document: gstDocument(from.gstin, to.gstin),
      consignment_value: total,
      eway_needed: ewayNeeded(total, from.state !== to.state, from.eway_limit, usual),
    };
  },
};
