import { Exact } from '../../../../descriptor/exact.ts';
import type { JsonSchema } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import { lineChanges } from '../stock/line_changes.ts';
import type { DescribedMovement } from '../stock/described_movements.ts';
import { movementsOf, valueFor } from '../stock/described_movements.ts';
import type { Posted } from '../stock/movement.ts';
import { post } from '../stock/posting.ts';
import { reverseMove } from '../stock/reverse.ts';

const text = { type: 'string', minLength: 1 };
const MOVEMENT: Record<string, JsonSchema> = {
  rows: { type: 'string' },
  ...Object.fromEntries(
    [
      'when',
      'item',
      'condition',
      'to_condition',
      'qty',
      'uom',
      'from',
      'to',
      'batch',
      'serials',
      'bin',
      'to_bin',
      'value',
      'reserved',
      'reserved_by',
      'reason',
      'new_serials',
      'new_batch',
      'made_on',
      'vendor',
      'owner',
    ].map((name) => [name, text]),
  ),
  fixed: { type: 'boolean' },
  revalues: { type: 'boolean' },
};

interface StockArgs extends Partial<DescribedMovement> {
  event: string;
  /** Several movements of one posting, instead of one. */
  moves?: DescribedMovement[];
  /** The time of the movement as an expression over the record: a day or a moment; default: now. */
  at?: string;
  /** The field with the document's number, if it has one by now. */
  no?: string;
  /** The state of serial numbers that leave the stock, and their lift. */
  leaves?: 'installed' | 'at_vendor' | 'scrapped' | 'with_customer';
  lift?: string;
  /** The row column that receives each row's cost (above 0), if cost is counted by row. */
  cost?: string;
  /** The row column that receives each row's change of the stock value (below 0: issued). */
  gain?: string;
}

/**
 * Moves stock as the descriptor describes, for each row of the document (fms_stores.md 3.1): `{"fms_stores.stock":
 * {"event": "dispatch", "qty": "qty", "uom": "uom_id", "from": "from_stock_point_id", "to":
 * "transit_of(to_stock_point_id)"}}`. Texts are expressions over the row, then the record. With only `to`, stock is
 * received at `value` or at the average; with only `from`, it is issued at the average (with `fixed`, at `value`); with
 * both it moves. A transition with `undo` of the posting transition reverses the posting.
 */
export const stock: Effect = {
  elevated: true,
  args: {
    type: 'object',
    required: ['event'],
    additionalProperties: false,
    properties: {
      event: text,
      at: text,
      no: text,
      leaves: { enum: ['installed', 'at_vendor', 'scrapped', 'with_customer'] },
      lift: text,
      cost: text,
      gain: text,
      ...MOVEMENT,
      moves: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['qty'], additionalProperties: false, properties: MOVEMENT },
      },
    },
  },
  async apply({ unit, type, record, args }): Promise<Posted | null> {
    const { event, moves, at, no, leaves, lift, cost, gain, ...single } = args as unknown as StockArgs;
    const { movements, rows } = await movementsOf(unit, record, moves ?? [{ qty: 'qty', ...single }]);
    if (movements.length === 0) return null;
    const when = at === undefined ? null : valueFor(at, record);
    const inLift = lift === undefined ? null : valueFor(lift, record);
    const posted = await post(unit, {
      event,
      document: { type, id: record.id, no: no === undefined ? null : ((record[no] as string | null) ?? null) },
      key: `${type}/${record.id}/${event}/${record.version}`,
      at: typeof when === 'string' ? when : null,
      movements,
      ...(record.was_counted === true && { wasCounted: true }),
      ...(leaves && { leaves: { state: leaves, lift: inLift === null ? null : Number(String(inLift)) } }),
    });
    const column = cost ?? gain;
    if (column !== undefined) {
      const lines = (record[moves?.[0]?.rows ?? single.rows ?? 'lines'] as Record<string, unknown>[]).map(
        (line, place) => {
          const values = posted.values.filter((_, index) => rows[index] === place);
          return values.length === 0
            ? line
            : {
                ...line,
                [column]: values
                  .reduce((sum, value) => (cost === undefined ? sum.plus(value) : sum.minus(value)), new Exact(0))
                  .toFixed(2),
              };
        },
      );
      await unit.elevated().update(type, record.id, {
        [moves?.[0]?.rows ?? single.rows ?? 'lines']: lineChanges(lines, column),
      });
    }
    return posted;
  },
  async reverse({ unit }, result): Promise<void> {
    const posted = result as Posted | null;
    if (!posted) return;
    const { before = [], after = [] } = posted.counts ?? {};
    for (const move of [...after, posted.move, ...before]) await reverseMove(unit, move);
  },
};
