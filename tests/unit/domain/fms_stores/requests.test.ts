import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimsToTake } from '../../../../src/domain/fms_stores/claims.ts';
import { Exact } from '../../../../src/descriptor/exact.ts';
import { amountInWords } from '../../../../src/domain/amount_in_words.ts';
import type { CoverFacts, CoveringContract } from '../../../../src/domain/fms_stores/cover.ts';
import { lineCover } from '../../../../src/domain/fms_stores/cover.ts';
import { cardPack, spreadByWeight, taxedLine } from '../../../../src/domain/fms_stores/parts_quotation.ts';
import { percentOf, stageTimes } from '../../../../src/domain/fms_stores/request_stages.ts';
import { marginPercent, minimumPrice, priceOn } from '../../../../src/domain/fms_stores/selling_price.ts';
import { batchesToIssue, supplyPlan } from '../../../../src/domain/fms_stores/supply_plan.ts';

// The worked examples of sections 5.8 to 5.13 and 5.17 of the design of the stores.

const rupees = fc.integer({ min: 0, max: 10_000_000 }).map((paise) => new Exact(paise).dividedBy(100).toFixed(2));

describe('cover of a line (5.8)', () => {
  const contract = (more: Partial<CoveringContract> = {}): CoveringContract => ({
    no: 'CON/25-26/0312',
    from: '2025-04-01',
    to: '2026-03-31',
    isSuspended: false,
    treatment: 'free',
    share: null,
    limit: null,
    used: '0',
    limitQty: null,
    usedQty: '0',
    ...more,
  });
  const facts = (more: Partial<CoverFacts> = {}): CoverFacts => ({
    day: '2025-11-15',
    cause: { name: 'Wear', override: 'none', isCustomerFault: false },
    group: 'Door system',
    partWarrantyTo: null,
    liftWarrantyTo: null,
    isChargedInWarranty: false,
    contract: contract(),
    price: '12000.00',
    qty: '1',
    ...more,
  });

  it.each<[string, Partial<CoverFacts>, object]>([
    [
      'water entry, the fault of the customer, under a comprehensive AMC',
      { cause: { name: 'Water entry', override: 'none', isCustomerFault: true } },
      {
        cover: 'chargeable',
        share: '100',
        customer: '12000.00',
        reason: expect.stringContaining('fault of the customer'),
      },
    ],
    [
      'the same door lock fitted 120 days ago, with 6 months of warranty, under a plain AMC',
      { partWarrantyTo: '2026-01-18', contract: contract({ treatment: null }) },
      { cover: 'spare_warranty', free: '12000.00', customer: '0.00' },
    ],
    ['a lift in warranty to 31-03-2026', { liftWarrantyTo: '2026-03-31', contract: null }, { cover: 'lift_warranty' }],
    ['a comprehensive AMC with the door system free', {}, { cover: 'contract', free: '12000.00', customer: '0.00' }],
    [
      'a comprehensive AMC with cabin decor charged',
      { group: 'Cabin decor', contract: contract({ treatment: 'chargeable' }) },
      { cover: 'chargeable', reason: 'CON/25-26/0312 does not cover Cabin decor.' },
    ],
    ['a plain AMC with lubricants free', { group: 'Lubricants' }, { cover: 'contract', customer: '0.00' }],
    [
      'an AMC that ended on 14-11-2025',
      { contract: contract({ no: 'CON/24-25/0312', to: '2025-11-14' }) },
      { cover: 'chargeable', reason: 'CON/24-25/0312 ended on 14-11-2025.' },
    ],
    [
      'a limit of 50,000 of which 43,500 is used',
      { contract: contract({ limit: '50000', used: '43500' }) },
      { cover: 'contract', free: '6500.00', customer: '5500.00' },
    ],
    [
      'the same with a share of 25 %',
      { contract: contract({ treatment: 'shared', limit: '50000', used: '43500', share: '25' }) },
      { cover: 'contract', free: '6500.00', share: '25', customer: '7125.00' },
    ],
  ])('%s', (_case, more, expected) => expect(lineCover(facts(more))).toMatchObject(expected));

  it('leaves to the company what the customer does not pay: 4,875.00 of 12,000.00', () => {
    const own = facts({ contract: contract({ treatment: 'shared', limit: '50000', used: '43500', share: '25' }) });
    expect(Number(own.price) - Number(lineCover(own).customer)).toBe(4_875);
  });

  it('charges the part above the limit with GST: 495.00 and 495.00 on 5,500.00', () => {
    const { customer } = lineCover(facts({ contract: contract({ limit: '50000', used: '43500' }) }));
    expect(taxedLine({ qty: '1', rate: customer, discount: '0', gst: '18' }, 'intra')).toMatchObject({
      cgst: '495.00',
      sgst: '495.00',
      total: '6490.00',
    });
  });

  it('needs an active, current contract with remaining cover', () => {
    for (const [more, reason] of [
      [{ isSuspended: true }, 'suspended'],
      [{ from: '2025-12-01' }, 'begins on 01-12-2025'],
      [{ limit: '50000', used: '50000' }, 'used up'],
      [{ limitQty: '2', usedQty: '2' }, 'used up'],
    ] as const)
      expect(lineCover(facts({ contract: contract(more) }))).toMatchObject({
        cover: 'chargeable',
        reason: expect.stringContaining(reason),
      });
    expect(lineCover(facts({ contract: null })).reason).toBe('The lift has no contract.');
    expect(lineCover(facts({ contract: null, liftWarrantyTo: '2026-01-01', isChargedInWarranty: true })).reason).toBe(
      'The warranty of the lift does not cover Door system.',
    );
    expect(lineCover(facts({ qty: '4', contract: contract({ limitQty: '3', usedQty: '2' }) }))).toMatchObject({
      free: '3000.00',
      customer: '9000.00',
    });
  });

  it('never charges more than the price, nor gives more free than the remaining limit', () =>
    fc.assert(
      fc.property(rupees, rupees, rupees, fc.integer({ min: 0, max: 100 }), (price, limit, used, share) => {
        const got = lineCover(
          facts({ price, contract: contract({ treatment: 'shared', limit, used, share: String(share) }) }),
        );
        const left = Exact.max(0, new Exact(limit).minus(used));
        return (
          new Exact(got.free).lessThanOrEqualTo(left) &&
          new Exact(got.customer).lessThanOrEqualTo(price) &&
          new Exact(got.customer).greaterThanOrEqualTo(new Exact(price).minus(got.free))
        );
      }),
    ));
});

describe('the supply plan (5.10)', () => {
  it('reserves 2, indents 1 and 2, orders 1 of 6', () =>
    expect(
      supplyPlan('6', '2', [
        { stockPoint: 1, free: '1' },
        { stockPoint: 2, free: '2' },
      ]),
    ).toEqual({
      reserve: '2',
      indents: [
        { from: 1, qty: '1' },
        { from: 2, qty: '2' },
      ],
      order: '1',
    }));

  it('adds up to the need, and uses no more than a store has', () =>
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.nat(20),
        fc.array(fc.integer({ min: -3, max: 20 }), { maxLength: 5 }),
        (need, own, free) => {
          const plan = supplyPlan(
            String(need),
            String(own),
            free.map((qty, stockPoint) => ({ stockPoint, free: String(qty) })),
          );
          const sum = plan.indents.reduce(
            (all, { qty }) => all + Number(qty),
            Number(plan.reserve) + Number(plan.order),
          );
          return sum === need && plan.indents.every(({ from, qty }) => Number(qty) <= free[from]! && Number(qty) > 0);
        },
      ),
    ));

  it('uses batch B, then A; C has expired, D would within 15 days, and 2 are short', () =>
    expect(
      batchesToIssue('10', '2025-12-20', 15, [
        { batch: 'A', expiresOn: '2026-03-10', free: '3' },
        { batch: 'B', expiresOn: '2026-01-31', free: '5' },
        { batch: 'C', expiresOn: '2025-12-10', free: '4' },
        { batch: 'D', expiresOn: '2026-01-02', free: '6' },
      ]),
    ).toEqual({
      taken: [
        { batch: 'B', qty: '5' },
        { batch: 'A', qty: '3' },
      ],
      short: '2',
    }));
});

describe('prices (5.11, 5.12)', () => {
  it('has its minimum at 1,416.54, and a margin of 14.92 % at 25 % discount', () => {
    expect(minimumPrice({ cost: '1180.45', marginPercent: '20', minRate: '1400.00' })).toBe('1416.54');
    expect(marginPercent('1387.50', '1180.45')).toBe('14.92');
    expect(minimumPrice({ cost: null, marginPercent: '20', minRate: '1400' })).toBe('1400.00');
    expect(marginPercent('0', '1')).toBeNull();
  });

  it.each([
    [1, '2025-03-31', '1600'],
    [1, '2025-06-30', '1850'],
    [1, '2025-07-01', '1790'],
    [1, '2025-12-31', '1790'],
    [1, '2026-01-01', '1850'],
    [1, '2024-03-31', undefined],
    [2, '2025-08-01', '1850'],
  ])('in branch %d on %s is %s', (branch, day, rate) => {
    const prices = [
      { branch: null, rate: '1600', from: '2024-04-01', to: '2025-03-31' },
      { branch: null, rate: '1850', from: '2025-04-01', to: null },
      { branch: 1, rate: '1790', from: '2025-07-01', to: '2025-12-31' },
    ];
    expect(priceOn(prices, branch, day)?.rate).toBe(rate);
  });
});

describe('a quotation of parts (5.13)', () => {
  const lines = [
    { qty: '2', rate: '1850.00', discount: '5', gst: '18' },
    { qty: '1', rate: '2475.50', discount: '0', gst: '18' },
    { qty: '37.5', rate: '142.75', discount: '10', gst: '18' },
    { qty: '1', rate: '3500.00', discount: '0', gst: '18' },
  ];

  it('is taxed by line, within a state and between states', () => {
    const intra = lines.map((line) => taxedLine(line, 'intra'));
    expect(intra).toMatchObject([
      { gross: '3700.00', taxable: '3515.00', cgst: '316.35', sgst: '316.35', igst: '0.00' },
      { gross: '2475.50', taxable: '2475.50', cgst: '222.80' },
      { gross: '5353.13', taxable: '4817.82', cgst: '433.60' },
      { gross: '3500.00', taxable: '3500.00', cgst: '315.00' },
    ]);
    const inter = lines.map((line) => taxedLine(line, 'inter'));
    expect(inter.map(({ igst }) => igst)).toEqual(['632.70', '445.59', '867.21', '630.00']);
    expect(amountInWords('16884.00', 'INR')).toBe('Rupees Sixteen Thousand Eight Hundred Eighty Four Only');
  });

  it('of a card pack has one price, spread over the cards by their list prices', () => {
    const pack = cardPack(
      [
        { qty: '1', rate: '18500' },
        { qty: '1', rate: '22400' },
        { qty: '1', rate: '9750' },
        { qty: '6', rate: '4350' },
      ],
      { discount: '12', gst: '18', supply: 'intra' },
    );
    expect(pack).toMatchObject({ list: '76750.00', discount: '9210.00', price: '67540.00' });
    expect(pack.lines.map(({ taxable }) => taxable)).toEqual(['16280.00', '19712.00', '8580.00', '22968.00']);
  });

  it('spreads an amount exactly, with each share off by less than a paisa', () => {
    expect(spreadByWeight('1234.57', ['3', '2', '2'])).toEqual(['529.10', '352.74', '352.73']);
    fc.assert(
      fc.property(
        rupees,
        fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 }),
        (amount, weights) => {
          const shares = spreadByWeight(amount, weights.map(String));
          const whole = weights.reduce((all, weight) => all + weight, 0);
          return (
            shares.reduce((all, share) => all.plus(share), new Exact(0)).equals(amount) &&
            shares.every((share, at) =>
              new Exact(share).minus(new Exact(amount).times(weights[at]!).dividedBy(whole)).abs().lessThan('0.01'),
            )
          );
        },
      ),
    );
  });
});

describe('figures of requests (5.17)', () => {
  const at = (text: string) => Date.parse(`2025-11-${text}:00+05:30`);

  it('takes 1:45, 6:25, 21:20 and 3:15; with 19:00 on hold 51:45, net 32:45', () =>
    expect(
      stageTimes(
        {
          submitted: at('03T09:20'),
          commercial: at('03T11:05'),
          technical: at('04T12:30'),
          issued: at('05T09:50'),
          used: at('05T13:05'),
          holds: [{ from: at('03T15:00'), to: at('04T10:00') }],
        },
        at('20T00:00'),
      ),
    ).toEqual({ commercial: 105, technical: 385, store: 1280, site: 195, total: 3105, hold: 1140, net: 1965 }));

  it('counts fill rate and the parts ratio of a contract', () => {
    expect(percentOf(46, 52)).toBe('88.46');
    expect(percentOf('8214.33', '36000')).toBe('22.82');
    expect(percentOf(1, 0)).toBeNull();
  });
});

describe('reserved parts of others', () => {
  it('go to a lift that stands still, then by priority, the last and youngest first', () => {
    const of = (line: number, priority: string, isDown = false) => ({ line, priority, isDown, qty: '2' });
    const others = [of(1, 'P1', true), of(2, 'P2'), of(3, 'P3'), of(4, 'P3'), of(5, 'P1')];
    const taken = (own: { priority: string; isDown: boolean }, needed: string) =>
      claimsToTake(own, needed, others).map(({ line }) => line);
    expect(taken({ priority: 'P2', isDown: true }, '5')).toEqual([4, 3, 2]);
    expect(taken({ priority: 'P2', isDown: false }, '9')).toEqual([4, 3]);
    expect(taken({ priority: 'P3', isDown: false }, '1')).toEqual([]);
  });
});
