import type { JsonSchema } from '../../../descriptor/types.ts';
import type { Ref } from '../../engine/events/ref.ts';
import type { Unit } from '../../engine/records/unit.ts';

/**
 * The unearned part of the billed amount for lines that end early, for credit notes and subsequent bills. Exact texts.
 */
export interface Unearned {
  /** The last day of the lines. */
  last_day: string;
  /** carry: the new line is billed from the end of the billed time; credit_rebill: it is credited and billed again. */
  billing_action: string;
  /** The credit is set against the customer's other dues on the contract. */
  nets_dues?: boolean;
  lines: { contract_line_id: number; new_line_id: number | null; unearned: string; credit: string }[];
}

/** The payload of the event. */
export const UNEARNED: JsonSchema = {
  type: 'object',
  required: ['last_day', 'billing_action', 'lines'],
  properties: {
    last_day: { type: 'string' },
    billing_action: { type: 'string' },
    nets_dues: { type: 'boolean' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['contract_line_id', 'unearned', 'credit'],
        properties: {
          contract_line_id: { type: 'integer' },
          new_line_id: { type: ['integer', 'null'] },
          unearned: { type: 'string' },
          credit: { type: 'string' },
        },
      },
    },
  },
};

export function sayUnearned(unit: Unit, of: Ref, what: Unearned): void {
  unit.emit('fms_contracts.unearned', { ...what }, of);
}
