import type { Effect } from '../../../engine/modules.ts';
import { coverOf } from '../annexes.ts';

/** Writes into a quotation what the AMC types of its lines cover, as of its submission. */
export const listCover: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const lines = (record.lines ?? []) as { amc_type_id: number | null }[];
    const types = new Set(lines.flatMap(({ amc_type_id: id }) => (id === null ? [] : [id])));
    await unit.elevated().update('quotation', record.id, { cover_terms: await coverOf(unit, [...types]) });
  },
};
