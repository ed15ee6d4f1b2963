import { addDays } from '../../../../domain/dashboard_span.ts';
import type { Action } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;

/** Proposes the next term of the person in a seat, from the day after the current term ends. */
export const renew: Action = {
  async run({ unit, record }) {
    const terms = (record?.tenures ?? []) as Row[];
    const held = terms.find(({ state }) => state === 'active');
    if (!held || typeof held.until_date !== 'string')
      return unit.refuse([{ field: 'tenures', message: 'Only a term with a last day can be renewed.' }]);
    if (terms.some(({ state }) => state === 'proposed' || state === 'approved'))
      unit.refuse([{ field: 'tenures', message: 'This seat has a proposal already. Withdraw it first.' }]);
    const next = {
      board_member_id: held.board_member_id,
      from_date: addDays(held.until_date, 1),
      basis: held.basis,
    };
    return { set: { tenures: [...terms, next] }, done: 'The next term is proposed.' };
  },
};
