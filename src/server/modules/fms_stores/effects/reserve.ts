import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { DescribedMovement } from '../stock/described_movements.ts';
import { movementsOf, valueFor } from '../stock/described_movements.ts';
import { release as free, reserve as keep } from '../stock/reservations.ts';

const text = { type: 'string', minLength: 1 };

/**
 * Reserves stock for the rows of a document: `{"fms_stores.reserve": {"qty": "approved_qty", "uom": "uom_id", "from":
 * "from_stock_point_id"}}`. It is reserved for the row itself, or for the row of another document that `for_type`,
 * `for_id` and `for_line` name. With less free stock it is refused; with `"up_to_free": true` the free
 * stock is reserved.
 */
export const reserve: Effect = {
  elevated: true,
  args: {
    type: 'object',
    required: ['qty', 'from'],
    additionalProperties: false,
    properties: {
      rows: text,
      when: text,
      item: text,
      condition: text,
      qty: text,
      uom: text,
      from: text,
      batch: text,
      for_type: text,
      for_id: text,
      for_line: text,
      until: text,
      up_to_free: { const: true },
    },
  },
  async apply({ unit, type, record, args }): Promise<void> {
    const {
      for_type: other,
      for_id: otherId,
      for_line: otherLine,
      until,
      ...described
    } = args as unknown as DescribedMovement & Record<string, string | undefined>;
    const upToFree = args.up_to_free === true;
    const { movements, rows } = await movementsOf(unit, record, [described]);
    const lines = (record[described.rows ?? 'lines'] ?? []) as Record<string, unknown>[];
    const number = (expr: string | undefined, row: Record<string, unknown>) => {
      const value = expr === undefined ? null : valueFor(expr, row, record);
      return value === null ? null : Number(String(value));
    };
    await keep(
      unit,
      movements.flatMap(({ item, condition, from, batch, qty, line }, at) => {
        const row = lines[rows[at]!]!;
        const forLine = otherLine === undefined ? line : number(otherLine, row);
        if (forLine === null || from === null) return [];
        return [
          {
            document: {
              type: other ?? type,
              id: otherId === undefined ? record.id : (number(otherId, row) ?? record.id),
              line: forLine,
            },
            item,
            condition,
            point: from,
            batch,
            qty: new Exact(qty),
            until: until === undefined ? null : (valueFor(until, row, record) as string | null),
            upToFree,
          },
        ];
      }),
    );
  },
  async reverse({ unit, type, record }): Promise<void> {
    await free(unit, { type, id: record.id });
  },
};

/** Releases the reservations of a document, or only of its rows for which `when` is true. */
export const release: Effect = {
  elevated: true,
  args: { type: 'object', additionalProperties: false, properties: { rows: text, when: text } },
  async apply({ unit, type, record, args }): Promise<void> {
    const { rows, when } = args as { rows?: string; when?: string };
    if (when === undefined) {
      await free(unit, { type, id: record.id });
      return;
    }
    const lines = ((record[rows ?? 'lines'] ?? []) as Record<string, unknown>[]).filter(
      (row) => valueFor(when, row, record) === true,
    );
    await free(unit, { type, id: record.id, lines: lines.map(({ id }) => Number(id)) });
  },
  reverse: () => Promise.resolve(),
};
