import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';

/** Prepares the technical approval, and skips it if a rule of the request's type allows that. */
export const prepareApproval: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const lines = rowsOf(record);
    const value = new Exact(String(record.free_value ?? 0)).plus(String(record.charge_value ?? 0));
    const withinLimit =
      record.technical_rule === 'never' ||
      (record.technical_rule === 'above_limit' && value.lessThanOrEqualTo(String(record.auto_limit ?? 0)));
    const isKnown = lines.every(({ item_id: item }) => typeof item === 'number');
    await unit.elevated().update('mr', record.id, {
      technical_by_rule: withinLimit && isKnown,
      lines: {
        set: Object.fromEntries(
          lines.map(({ id, item_id: item, qty }) => [
            id,
            { approved_item_id: item ?? null, approved_qty: qty ?? null, line_status: 'requested' },
          ]),
        ),
      },
    });
  },
};
