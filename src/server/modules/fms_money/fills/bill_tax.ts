import { financialYear } from '../../../../descriptor/financial_year.ts';
import { GST_YEAR_START, billSupply, componentRates } from '../../../../domain/fms/bill_tax.ts';
import type { BillSupply, TaxComponent, TaxRates } from '../../../../domain/fms/bill_tax.ts';
import { dueDate } from '../../../../domain/fms/due_date.ts';
import type { PaymentTerm } from '../../../../domain/fms/due_date.ts';
import { creditNoteDeadline } from '../../../../domain/fms/line_ending.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import type { BillingPolicy } from '../policies.ts';

type Row = Record<string, unknown>;

interface Facts {
  company_gstin: string | null;
  branch_gstin: string | null;
  branch_series: string | null;
  branch_e_invoice: boolean | null;
  building_state_id: number | null;
  customer_state_id: number | null;
  gst_treatment: string | null;
  name: string | null;
  address: string | null;
  client_type_id: number | null;
  customer_group_id: number | null;
  tds_section: string | null;
  registrations: { gstin: string; state_id: number; address: string | null }[];
  term: PaymentTerm | null;
  original: { bill_date: string; place: number | null; supply: BillSupply | null } | null;
  /** By id, with the states of possible supply. */
  states: Record<string, { gst_code: string; union_territory: boolean }>;
}

const SERIES: Readonly<Record<string, string>> = {
  tax_invoice: 'INV',
  bill_of_supply: 'BOS',
  proforma: 'PF',
  credit_note: 'CN',
  debit_note: 'DN',
};

/** The data that bills take from their parties, in their order; read once per transaction. */
export function factsOf(unit: Unit, bills: readonly Row[]): Promise<Facts[]> {
  const ids = bills.map((bill) =>
    [bill.branch_id, bill.building_id, bill.customer_id, bill.payment_term_id, bill.original_bill_id].map(
      (id) => (id as number | null | undefined) ?? null,
    ),
  );
  return unit.onceEach(
    ids.map((one) => `fms_money.parties ${one.join(' ')}`),
    (places) =>
      unit.query<Facts>(
        `select e.gstin as company_gstin, b.gstin as branch_gstin, b.bill_series as branch_series, b.e_invoice as branch_e_invoice,
           g.state_id as building_state_id, c.state_id as customer_state_id, c.gst_treatment, coalesce(c.legal_name, c.name) as name,
           concat_ws(', ', c.billing_address, ci.name, cs.name) || coalesce(' ' || c.pincode, '') as address, c.client_type_id, c.customer_group_id,
           d.section as tds_section,
           (select coalesce(jsonb_agg(jsonb_build_object('gstin', r.gstin, 'state_id', r.state_id, 'address', r.address) order by r.id), '[]')
              from {customer_dtl.gst_registrations} r where r.parent_id = c.id) as registrations,
           (select jsonb_build_object('rule', t.rule, 'days', t.days, 'fixed_day', t.fixed_day) from {payment_term_mstr} t where t.id = q.term_id) as term,
           (select jsonb_build_object('bill_date', o.bill_date, 'place', o.place_of_supply_id, 'supply', o.supply) from {billing} o where o.id = q.original_id) as original,
           (select coalesce(jsonb_object_agg(s.id, jsonb_build_object('gst_code', s.gst_code, 'union_territory', coalesce(s.union_territory, false))), '{}')
              from {state_mstr} s where s.id in (g.state_id, c.state_id) or s.id in (select r.state_id from {customer_dtl.gst_registrations} r where r.parent_id = c.id)
                or s.id = (select o.place_of_supply_id from {billing} o where o.id = q.original_id)) as states
         from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
           with ordinality q(branch_id, building_id, customer_id, term_id, original_id, at)
         join {entity} e on e.id = $1
         left join {branch} b on b.id = q.branch_id
         left join {building} g on g.id = q.building_id
         left join {customer_dtl} c on c.id = q.customer_id
         left join {city_mstr} ci on ci.id = c.city_id
         left join {state_mstr} cs on cs.id = c.state_id
         left join {deduction} d on d.id = c.tds_id
         order by q.at`,
        [unit.session.entityId, ...[0, 1, 2, 3, 4].map((column) => places.map((at) => ids[at]![column]))],
      ),
  );
}

interface ServiceTax {
  sac: string | null;
  /** The tax as bills print it. */
  label: string | null;
  place: 'building' | 'recipient';
  reverse_charge: boolean;
  rates: TaxRates | null;
}

/** By service or part: its code, its place of supply, and its tax rates. */
function taxesOf(
  unit: Unit,
  type: 'fmsservice' | 'item_mstr',
  ids: number[],
  day: string,
): Promise<Map<number, ServiceTax>> {
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b);
  return unit.once(`fms_money.taxes ${type} ${day} ${wanted.join(' ')}`, () => readTaxes(unit, type, wanted, day));
}

async function readTaxes(
  unit: Unit,
  type: 'fmsservice' | 'item_mstr',
  ids: number[],
  day: string,
): Promise<Map<number, ServiceTax>> {
  // The place of supply of a part is where it is fitted.
  const place = type === 'fmsservice' ? "coalesce(v.place_of_supply, 'building')" : "'building'";
  const rows = await unit.query<Omit<ServiceTax, 'rates'> & TaxRates & { id: number; treatment: string | null }>(
    `select v.id, k.code as sac, x.print_label as label, ${place} as place, coalesce(a.reverse_charge, false) as reverse_charge,
       a.treatment, t.cgst, t.sgst, t.igst, t.cess
     from {${type}} v
     join {hs_code} k on k.id = v.hs_code_id
     left join lateral (select r.tax_id from {hs_code.rates} r where r.parent_id = v.hs_code_id and r.valid_from <= $2::date
       order by r.valid_from desc limit 1) h on true
     left join {tax} x on x.id = h.tax_id
     left join {tax_category_mstr} a on a.id = x.tax_category_id
     left join lateral (select y.cgst, y.sgst, y.igst, y.cess from {tax_rate} y where y.tax_id = h.tax_id and y.active
       and y.valid_from <= $2::date and coalesce(y.valid_to, 'infinity') >= $2::date order by y.valid_from desc limit 1) t on true
     where v.id = any($1::bigint[])`,
    [ids, day],
  );
  const free = { cgst: '0', sgst: '0', igst: '0', cess: '0' };
  return new Map(
    rows.map(({ id, sac, label, place, reverse_charge, treatment, cgst, sgst, igst, cess }) => [
      id,
      {
        sac,
        label,
        place,
        reverse_charge,
        rates: treatment !== null && treatment !== 'taxable' ? free : cgst === null ? null : { cgst, sgst, igst, cess },
      },
    ]),
  );
}

/** The components that the tax group used for a supply names; undefined: there is none. */
function componentsFor(unit: Unit, supply: BillSupply): Promise<TaxComponent[] | undefined> {
  return unit.once(`fms_money.components ${supply}`, async () => {
    const groups = await unit.query<{ components: TaxComponent[] | null }>(
      'select components from {tax_mstr} where active and used_when = $1',
      [supply],
    );
    return groups.length === 0 ? undefined : groups.flatMap(({ components }) => components ?? []);
  });
}

/**
 * The fields of a bill from its parties and its day (C5, C6): registrations, current names, place of supply, rates of
 * each line, number series and due day. A note has the place and the rates of the bill that it corrects.
 */
export const billTax: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    const [facts] = (await factsOf(unit, [record])) as [Facts];
    const day = String(record.bill_date ?? dayOfRecord(unit, record));
    const kind = String(record.bill_kind ?? 'tax_invoice');
    const policy = applyingPolicy<BillingPolicy>(await policiesOf(unit, unit.session.entityId, ['BILLING']), day, {
      branch_id: (record.branch_id as number | null) ?? null,
    });
    const services = lines.flatMap(({ service_id: id }) => (typeof id === 'number' ? [id] : []));
    const { original } = facts;
    const taxDay = original?.bill_date ?? day;
    const taxes = await taxesOf(unit, 'fmsservice', services, taxDay);
    const parts = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const partTaxes =
      parts.length === 0 ? new Map<number, ServiceTax>() : await taxesOf(unit, 'item_mstr', parts, taxDay);
    const first = taxes.get(services[0] ?? 0);
    const registered = facts.registrations[0]?.state_id ?? facts.customer_state_id;
    const placeId =
      original?.place ??
      ((first?.place ?? 'building') === 'building' ? (facts.building_state_id ?? registered) : registered);
    const place = placeId === null ? null : (facts.states[placeId] ?? null);
    const gstin = facts.branch_gstin ?? facts.company_gstin;
    const supply =
      original?.supply ??
      billSupply({
        supplier: gstin?.slice(0, 2) ?? null,
        place: place?.gst_code ?? null,
        isUnionTerritory: place?.union_territory ?? false,
        isSez: facts.gst_treatment === 'sez',
        hasUndertaking: (policy.lut_no ?? '') !== '',
      });
    const components = supply === null ? undefined : await componentsFor(unit, supply);
    const own = facts.registrations.find(({ state_id }) => state_id === placeId) ?? facts.registrations[0];
    const isLate = kind === 'credit_note' && original !== null && day > creditNoteDeadline(original.bill_date);
    const isFree = isLate || (kind === 'credit_note' && record.without_gst === true);
    const notes: string[] = [];
    if (isLate)
      notes.push(
        `GST of this bill could be credited until ${indianDay(creditNoteDeadline(original.bill_date))}: this note is without GST.`,
      );
    else if (isFree) notes.push('GST is due on the price without this credit: this note is without GST.');
    if (
      facts.registrations.length > 0 &&
      placeId !== null &&
      !facts.registrations.some(({ state_id }) => state_id === placeId)
    )
      notes.push('The customer has no registration in the state of supply and may not be able to take credit.');
    const needsIrn =
      (policy.e_invoice ?? facts.branch_e_invoice ?? false) &&
      gstin !== null &&
      own !== undefined &&
      ['tax_invoice', 'credit_note', 'debit_note'].includes(kind);
    const chosen =
      kind === 'credit_note'
        ? policy.note_series
        : kind === 'tax_invoice'
          ? (policy.bill_series ?? facts.branch_series)
          : undefined;
    const series = chosen !== undefined && chosen !== null && chosen !== '' ? chosen : SERIES[kind]!;
    return {
      supplier_gstin: gstin,
      registration: gstin ?? '-',
      series: `${series.slice(0, 4)}/${taxYear(day)}`,
      recipient_gstin: own?.gstin ?? null,
      customer_name: facts.name,
      customer_address: own?.address ?? facts.address,
      place_of_supply_id: placeId,
      supply,
      reverse_charge: first?.reverse_charge ?? false,
      rounds: policy.round_to_rupee ?? true,
      e_invoice: record.irn ? record.e_invoice : needsIrn ? 'pending' : 'na',
      tax_note: notes.length === 0 ? null : notes.join(' ').slice(0, 250),
      deduct_note:
        facts.tds_section === null
          ? null
          : `TDS under section ${facts.tds_section} is deducted on the value before GST.`,
      due_on: dueDate(day, facts.term ?? { rule: 'from_bill', days: 0 }),
      lines: lines.map(({ service_id: id, item_id: part }) => {
        const tax = typeof part === 'number' ? partTaxes.get(part) : taxes.get(id as number);
        const rates =
          supply === null || !tax?.rates
            ? null
            : isFree
              ? componentRates('exempt', tax.rates)
              : componentRates(supply, tax.rates, components);
        return {
          sac: tax?.sac ?? null,
          tax_label: tax?.label ?? null,
          cgst_rate: rates?.cgst ?? null,
          sgst_rate: rates?.sgst ?? null,
          igst_rate: rates?.igst ?? null,
          cess_rate: rates?.cess ?? null,
        };
      }),
    };
  },
};

/** The GST financial year: 2026-03-31 → 25-26 (C22). */
const taxYear = (day: string): string => financialYear(day, GST_YEAR_START).slice(2);

/** 2026-03-31 → 31-03-2026 */
export const indianDay = (day: string): string => day.split('-').toReversed().join('-');
