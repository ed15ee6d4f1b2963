import { supplyOf } from '../../../../domain/fms/supply.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';

type Row = Record<string, unknown>;

interface Parties {
  company_gstin: string | null;
  branch_gstin: string | null;
  building_state: string | null;
  customer_state: string | null;
  gst_treatment: string | null;
}

/** The chosen parties of a supply. */
async function partiesOf(unit: Unit, record: Row): Promise<Parties> {
  const [parties] = await unit.query<Parties>(
    `select (select e.gstin from {entity} e where e.id = $1) as company_gstin,
       (select b.gstin from {branch} b where b.id = $2) as branch_gstin,
       (select s.gst_code from {building} g join {state_mstr} s on s.id = g.state_id where g.id = $3) as building_state,
       (select coalesce(left(r.gstin, 2), s.gst_code) from {customer_dtl} c join {state_mstr} s on s.id = c.state_id
          left join {customer_dtl.gst_registrations} r on r.parent_id = c.id where c.id = $4 order by r.id limit 1) as customer_state,
       (select c.gst_treatment from {customer_dtl} c where c.id = $4) as gst_treatment`,
    [unit.session.entityId, record.branch_id ?? null, record.building_id ?? null, record.customer_id ?? null],
  );
  return parties!;
}

/** By service: the place of supply, and the GST rate on a day; null if its code has no tax then. */
async function taxesOf(
  unit: Unit,
  services: number[],
  day: unknown,
): Promise<Map<number, { place: 'building' | 'recipient'; rate: string | null }>> {
  const rows = await unit.query<{ id: number; place: 'building' | 'recipient' | null; rate: string | null }>(
    `select v.id, v.place_of_supply as place, t.rate from {fmsservice} v
     left join lateral (select r.tax_id from {hs_code.rates} r where r.parent_id = v.hs_code_id and r.valid_from <= $2::date
       order by r.valid_from desc limit 1) h on true
     left join lateral (select x.igst as rate from {tax_rate} x where x.tax_id = h.tax_id and x.active and x.valid_from <= $2::date
       and coalesce(x.valid_to, 'infinity') >= $2::date order by x.valid_from desc limit 1) t on true
     where v.id = any($1::bigint[])`,
    [services, day],
  );
  return new Map(rows.map(({ id, place, rate }) => [id, { place: place ?? 'building', rate }]));
}

/**
 * GST of a document with service lines: whether the supply is within the state, and each line's rate by its code's tax
 * on the day (C5 of the design of field service). A document has one place of supply: that of its first line.
 */
export const gst: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    const services = lines.flatMap(({ service_id: id }) => (typeof id === 'number' ? [id] : []));
    const taxes = await taxesOf(unit, services, record.quoted_on ?? dayOfRecord(unit, record));
    const parties = await partiesOf(unit, record);
    const gstin = parties.branch_gstin ?? parties.company_gstin;
    const first = taxes.get(services[0] ?? 0);
    return {
      supply: supplyOf({
        supplier: gstin?.slice(0, 2) ?? null,
        building: parties.building_state,
        recipient: parties.customer_state,
        place: first?.place ?? 'building',
        isSez: parties.gst_treatment === 'sez',
      }),
      lines: lines.map(({ service_id: id }) => ({ gst_rate: taxes.get(id as number)?.rate ?? null })),
    };
  },
};
