import { compileExpression } from '../../descriptor/expression/compile_expression.ts';
import { number } from '../../descriptor/expression/value.ts';
import { Exact } from '../../descriptor/exact.ts';

/** The factors of a lift's price. */
export interface PricedLift {
  stops: number | null;
  capacity_kg: number | null;
  persons: number | null;
  /** Whole years since it was commissioned. */
  age_years: number | null;
}

/** The `PRICING` policy. `floor` is an amount, `floor_percent` a share of the guide rate. */
export interface PricingPolicy {
  expression?: string;
  floor?: number;
  floor_percent?: number;
}

/**
 * The guide rate of a lift and the rate below which approval is needed (C3 of the design of field service), as exact
 * decimals with two places; null if the policy defines none, or a required property of the lift is unknown.
 */
export function guideRate(policy: PricingPolicy, lift: PricedLift): { guide: string | null; floor: string | null } {
  if (policy.expression === undefined) return { guide: null, floor: null };
  const values = Object.fromEntries(
    Object.entries(lift).map(([name, value]) => [name, value === null ? null : new Exact(value)]),
  );
  let guide;
  try {
    guide = number(compileExpression(policy.expression).evaluate(values));
  } catch {
    // The company's formula cannot be computed: quoting is still possible.
    return { guide: null, floor: null };
  }
  if (guide === null) return { guide: null, floor: null };
  const floor =
    policy.floor_percent !== undefined
      ? guide.times(policy.floor_percent).div(100)
      : policy.floor === undefined
        ? null
        : new Exact(policy.floor);
  return { guide: guide.toFixed(2), floor: floor?.toFixed(2) ?? null };
}
