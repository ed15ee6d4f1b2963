import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guideRate } from '../../../../src/domain/fms/guide_rate.ts';
import { chosenPolicy } from '../../../../src/domain/fms/policy_choice.ts';
import type { PolicyRule } from '../../../../src/domain/fms/policy_choice.ts';
import { supplyOf } from '../../../../src/domain/fms/supply.ts';

describe('the guide rate', () => {
  const expression =
    'round_to((24000 + 1500 * max(0, stops - 5)) * (1 + 0.02 * max(0, age_years - 10)) * if(persons > 13, 1.15, 1), 100)';

  it('is 38,600 for 12 stops, 16 years and 13 persons (C3)', () => {
    const lift = { stops: 12, capacity_kg: 884, persons: 13, age_years: 16 };
    expect(guideRate({ expression }, lift)).toEqual({ guide: '38600.00', floor: null });
    expect(guideRate({ expression, floor_percent: 90 }, lift)).toEqual({ guide: '38600.00', floor: '34740.00' });
    expect(guideRate({ expression, floor: 14_000 }, lift).floor).toBe('14000.00');
  });

  it('is missing if facts of the lift are unknown, or the policy cannot be computed', () => {
    const lift = { stops: 12, capacity_kg: null, persons: null, age_years: null };
    expect(guideRate({ expression: 'stops * 100' }, lift).guide).toBe('1200.00');
    expect(guideRate({ expression: 'capacity_kg * 9' }, lift)).toEqual({ guide: null, floor: null });
    expect(guideRate({ expression: 'stops *' }, lift)).toEqual({ guide: null, floor: null });
    expect(guideRate({}, lift)).toEqual({ guide: null, floor: null });
  });
});

describe('the policy that applies', () => {
  const rule = (id: number, more: Partial<PolicyRule> = {}): PolicyRule => ({
    id,
    priority: 0,
    valid_from: '2025-04-01',
    valid_to: null,
    criteria: {},
    ...more,
  });
  const facts = { branch_id: 1, client_type_id: 2 };

  it('has most matching criteria, then the higher priority, then the later date, then is the newer one', () => {
    const rules = [
      rule(1),
      rule(2, { priority: 9 }),
      rule(3, { criteria: { branch_id: 1, client_type_id: null } }),
      rule(4, { criteria: { branch_id: 1, client_type_id: null }, valid_from: '2025-06-01' }),
      rule(5, { criteria: { branch_id: 1, client_type_id: 2 }, valid_to: '2025-12-31' }),
      rule(6, { criteria: { branch_id: 7, client_type_id: 2 }, priority: 99 }),
    ];
    expect(chosenPolicy(rules, '2025-12-31', facts)?.id).toBe(5);
    expect(chosenPolicy(rules, '2026-01-01', facts)?.id).toBe(4);
    expect(chosenPolicy(rules, '2025-05-01', { branch_id: 8 })?.id).toBe(2);
    expect(chosenPolicy(rules, '2025-03-31', facts)).toBeNull();
    expect(chosenPolicy([rule(1), rule(2)], '2025-05-01', facts)?.id).toBe(2);
  });

  it('does not depend on the order of rules', () => {
    const rules = fc.array(
      fc.record({
        priority: fc.nat(2),
        valid_from: fc.constantFrom('2025-04-01', '2025-05-01'),
        branch: fc.constantFrom(null, 1, 2),
      }),
    );
    fc.assert(
      fc.property(rules, (list) => {
        const all = list.map(({ branch, ...more }, id) => rule(id, { ...more, criteria: { branch_id: branch } }));
        expect(chosenPolicy(all, '2025-06-01', facts)).toEqual(chosenPolicy(all.toReversed(), '2025-06-01', facts));
      }),
    );
  });
});

describe('a supply', () => {
  const places = { supplier: '33', building: '33', recipient: '29', place: 'building' as const, isSez: false };

  it('is within the state by the building or the recipient, as the service says', () => {
    expect(supplyOf(places)).toBe('intra');
    expect(supplyOf({ ...places, building: '29' })).toBe('inter');
    expect(supplyOf({ ...places, place: 'recipient' })).toBe('inter');
    expect(supplyOf({ ...places, isSez: true })).toBe('inter');
    expect(supplyOf({ ...places, supplier: null })).toBe('exempt');
    expect(supplyOf({ ...places, building: null })).toBeNull();
  });
});
