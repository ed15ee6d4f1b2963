import type { Effect } from '../../../engine/modules.ts';

/** Stores the number that a document received in this step in its postings. */
export const stockNo: Effect = {
  late: true,
  args: {
    type: 'object',
    required: ['field'],
    additionalProperties: false,
    properties: { field: { type: 'string', 'x-field': true } },
  },
  async apply({ unit, type, record, args }): Promise<void> {
    await unit.query(
      'update {stock_move} set document_no = $3 where document_type = $1 and document_id = $2 and document_no is null',
      [type, record.id, record[String(args.field)] ?? null],
    );
  },
  // A reversed posting keeps the number of its document.
  reverse: () => Promise.resolve(),
};
