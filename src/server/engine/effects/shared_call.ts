import { Decimal } from 'decimal.js';
import { valueOf } from '../../../descriptor/expression/scope.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Ref } from '../events/ref.ts';
import type { Call } from '../modules.ts';
import type { LedTo } from '../workflow/led_to.ts';
import type { Surroundings } from '../workflow/values.ts';
import { valueIn } from '../workflow/values.ts';

/** The arguments of a shared effect: its unit has the rights of the product. */
export interface SharedCall extends Call {
  around: Surroundings;
}

/** An effect that every type may use. */
export interface SharedEffect {
  /** It runs after the number is assigned. */
  late?: true;
  locks?(call: SharedCall, done?: unknown): Promise<Ref[]>;
  apply(call: SharedCall): Promise<unknown>;
  applyMany?(calls: readonly SharedCall[]): Promise<void>;
  reverse?(call: SharedCall, done: unknown): Promise<void>;
}

/** Scope of expressions about one of the records at the end of a path: `target.x` is a field of that record. */
export function aroundTarget(around: Surroundings, { screen, row }: LedTo, target: WireRecord): Surroundings {
  const names: Record<string, Value> = { 'target.id': valueOf(idField(screen), target.id) };
  for (const field of screen.fields)
    if (!field.rows) names[`target.${field.name}`] = valueOf(field, target[field.name]);
  return { ...around, ...(row && { row }), more: { ...around.more, ...names } };
}

const idField = (screen: Screen) => ({ ...screen.fields[0]!, name: 'id', type: 'integer' });

/** The serialised values of expressions: exact numbers as text. */
export async function plainValues(
  around: Surroundings,
  expressions: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(expressions)) values[name] = plain(await valueIn(around, text));
  return values;
}

/** A value as serialised in JSON. */
export function plain(value: Value): unknown {
  if (!Decimal.isDecimal(value)) return value;
  const exact = value as Decimal;
  return exact.isInteger() && exact.abs().lt(Number.MAX_SAFE_INTEGER) ? exact.toNumber() : exact.toFixed();
}
