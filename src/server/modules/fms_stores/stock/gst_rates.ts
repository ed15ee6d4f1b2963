import type { Unit } from '../../../engine/records/unit.ts';

/** The rate of GST of items on a day, by their HSN codes, in percent; null where the code has no tax then. */
export async function gstRates(unit: Unit, items: readonly number[], day: string): Promise<Map<number, string | null>> {
  const rows = await unit.query<{ id: number; rate: string | null }>(
    `select i.id, t.rate from {item_mstr} i
     left join lateral (select r.tax_id from {hs_code.rates} r where r.parent_id = i.hs_code_id and r.valid_from <= $2::date
       order by r.valid_from desc limit 1) h on true
     left join lateral (select x.igst as rate from {tax_rate} x where x.tax_id = h.tax_id and x.active and x.valid_from <= $2::date
       and coalesce(x.valid_to, 'infinity') >= $2::date order by x.valid_from desc limit 1) t on true
     where i.id = any($1::bigint[])`,
    [items, day],
  );
  return new Map(rows.map(({ id, rate }) => [Number(id), rate]));
}
