import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { recompute } from '../../../../src/descriptor/validate.ts';
import { componentRates } from '../../../../src/domain/fms/bill_tax.ts';
import { cardPack, taxedLine } from '../../../../src/domain/fms_stores/parts_quotation.ts';
import { withFormulas } from '../../../../src/server/engine/reports/grouped_records.ts';
import { product } from '../../server/product.ts';

// The worked examples of the designs of field service and stores that the product computes by formulas of its screens.

type Row = Record<string, unknown>;
const computed = async (type: string, record: Row): Promise<Row> =>
  recompute((await product).screens.get(type)!, record);
const reported = async (name: string, row: Row): Promise<Row> => withFormulas((await product).reports.get(name)!, row);

const GST18 = { cgst: '9', sgst: '9', igst: '18', cess: null };
const billOf = (amounts: readonly string[], supply: 'intra_state' | 'inter_state', more: Row = {}) => {
  const { cgst, sgst, igst, cess } = componentRates(supply, GST18);
  const rates = { cgst_rate: cgst, sgst_rate: sgst, igst_rate: igst, cess_rate: cess };
  const lines = amounts.map((rate) => ({ qty: '1', rate, discount: '0', ...rates }));
  return computed('billing', { bill_kind: 'tax_invoice', rounds: true, reverse_charge: false, lines, ...more });
};

describe('a bill (C5)', () => {
  it('rounds tax by line and component, and the whole to the rupee', async () => {
    const three = ['10625.00', '9166.67', '4166.67'];
    expect(await billOf(three, 'intra_state')).toMatchObject({
      taxable_total: '23958.34',
      cgst_total: '2156.25',
      sgst_total: '2156.25',
      igst_total: '0.00',
      round_off: '0.16',
      grand_total: '28271.00',
    });
    expect(await billOf(three, 'inter_state')).toMatchObject({ igst_total: '4312.50', grand_total: '28271.00' });
    expect(await billOf(['5254.12', '0.33'], 'intra_state')).toMatchObject({
      cgst_total: '472.90',
      sgst_total: '472.90',
      round_off: '-0.25',
      grand_total: '6200.00',
    });
    expect(await billOf(['5254.12', '0.33'], 'intra_state', { rounds: false })).toMatchObject({
      round_off: '0.00',
      grand_total: '6200.25',
    });
  });

  it('adds up to the paisa for any lines, and the round-off is at most half a rupee', async () => {
    const amount = fc.integer({ min: 1, max: 900_000_000 }).map((paise) => new Decimal(paise).div(100).toFixed(2));
    const supply = fc.constantFrom('intra_state' as const, 'inter_state' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 20 }), supply, async (amounts, of) => {
        const bill = await billOf(amounts, of);
        const gross = new Decimal(String(bill.taxable_total)).plus(String(bill.tax_total));
        expect(gross.plus(String(bill.round_off)).toFixed(2)).toBe(bill.grand_total);
        expect(new Decimal(String(bill.round_off)).abs().lte('0.5')).toBe(true);
        expect(bill.cgst_total).toBe(bill.sgst_total);
      }),
      { numRuns: 30 },
    );
  });

  it('of a line that ends early is credited at its own rates (C9, C10)', async () => {
    const note = { bill_kind: 'credit_note' };
    expect(await billOf(['23934.25'], 'intra_state', note)).toMatchObject({
      cgst_total: '2154.08',
      sgst_total: '2154.08',
      round_off: '-0.41',
      grand_total: '28242.00',
    });
    expect(await billOf(['29884.93'], 'intra_state', note)).toMatchObject({
      cgst_total: '2689.64',
      grand_total: '35264.00',
    });
  });
});

it('an advance includes its tax (C8)', async () => {
  const advance = { amount: '59000', allocations: [], for_services: true, advance_rate: '18' };
  expect(await computed('receipt', { ...advance, deductions: [], status: 'approved' })).toMatchObject({
    unallocated: '59000.00',
    advance_taxable: '50000.00',
    advance_tax: '9000.00',
  });
});

it('the value of a line is its rate less the discount (C1)', async () => {
  const lines = [
    { rate: '48000', discount: '5' },
    { rate: '36500', discount: '0' },
    { rate: '52750', discount: '7.5' },
  ];
  const nets = ['45600.00', '36500.00', '48793.75'];
  for (const [at, line] of lines.entries())
    expect((await computed('contract_line', line)).net, line.rate).toBe(nets[at]);
  const quoted = await computed('quotation', { lines: lines.map((line) => ({ ...line, qty: '1', option: 'A' })) });
  expect((quoted.lines as Row[]).map(({ net }) => net)).toEqual(nets);
  expect(quoted.options).toMatchObject([{ option: 'A', taxable: '130893.75' }]);
});

it('a lift carries a person per 68 kg, and its warranty ends a day before the month is full (C22)', async () => {
  const persons = async (kg: number) =>
    (await computed('lift', { carries_people: true, kg_per_person: null, capacity_kg: kg })).persons;
  expect(await Promise.all([408, 544, 680, 884, 1000, 1360].map(persons))).toEqual([6, 8, 10, 13, 14, 20]);
  const handedOver = { handed_over_on: '2025-08-31', warranty_months: 18 };
  expect((await computed('lift', handedOver)).warranty_to).toBe('2027-02-27');
});

it('the report of renewals states the share by count and value, and the price increase (C21)', async () => {
  const month = { expiring: 64, old_value: '2480000', renewed: 57, renewed_old: '2210000', renewed_new: '2365400' };
  for (const report of ['current_month_amc_renewal_reports', 'advance_amc_renewal_reports'])
    expect(await reported(report, month), report).toMatchObject({ by_value: '89.11', price_lift: '7.03' });
  expect(await reported('current_month_amc_renewal_reports', month)).toMatchObject({ by_count: '89.06' });
});

it('the margin of a lift is its price less work, travel and parts (C20)', async () => {
  const year = { price: '24065.75', labour: '2610', travel: '1320', material: '3400' };
  expect(await reported('lift_margin', year)).toMatchObject({ margin: '16735.75', margin_percent: '69.54' });
});

describe('a quotation of parts (5.13)', () => {
  const lines = [
    { qty: '2', rate: '1850.00', discount: '5', gst: '18' },
    { qty: '1', rate: '2475.50', discount: '0', gst: '18' },
    { qty: '37.5', rate: '142.75', discount: '10', gst: '18' },
    { qty: '1', rate: '3500.00', discount: '0', gst: '18' },
  ];

  it('adds up to the paisa and rounds to the rupee, within a state and between states', async () => {
    for (const supply of ['intra', 'inter'] as const)
      expect(
        await computed('mr_quotation', { lines: lines.map((line) => taxedLine(line, supply)), exchange: [] }),
      ).toMatchObject({ taxable: '14308.32', tax: '2575.50', round_off: '0.18', total: '16884.00' });
  });

  it('of a card pack takes the credit for old cards off the total with tax', async () => {
    const pack = cardPack(
      [
        { qty: '1', rate: '18500' },
        { qty: '1', rate: '22400' },
        { qty: '1', rate: '9750' },
        { qty: '6', rate: '4350' },
      ],
      { discount: '12', gst: '18', supply: 'intra' },
    );
    const exchange = [
      { qty: '1', credit_rate: '3000' },
      { qty: '1', credit_rate: '3500' },
      { qty: '5', credit_rate: '250' },
    ];
    expect(await computed('mr_quotation', { lines: pack.lines, exchange })).toMatchObject({
      taxable: '67540.00',
      tax: '12157.20',
      round_off: '-0.20',
      total: '79697.00',
      exchange_total: '7750.00',
      payable: '71947.00',
    });
  });
});
