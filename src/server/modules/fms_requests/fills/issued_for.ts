import type { Fill } from '../../../engine/modules.ts';
import { heldLines, lentLines } from '../open_lines.ts';
import { rowsOf } from '../request_lines.ts';

/** The request line of each part of an issue. */
export const issuedFor: Fill = {
  async run({ unit, record }) {
    const open = await unit.query<{ id: number; item: number }>(
      `select l.id, coalesce(l.approved_item_id, l.item_id) as item from {mr.lines} l where l.parent_id = $1
         and coalesce(l.approved_qty, l.qty) > l.issued_qty order by l.id`,
      [record.mr_id ?? null],
    );
    const taken = new Set<number>();
    return {
      lines: rowsOf(record).map(({ item_id: item }) => {
        const found = open.find((one) => Number(one.item) === item && !taken.has(one.id));
        if (found) taken.add(found.id);
        return { mr_line: found ? Number(found.id) : null };
      }),
    };
  },
};

/** The request line of each part of a quotation; a card of a pack belongs to the line that requests the pack. */
export const quotedFor: Fill = {
  async run({ unit, record }) {
    const lines = await unit.query<{ id: number; item: number | null; cards: number[] }>(
      `select l.id, coalesce(l.approved_item_id, l.item_id) as item,
         array(select k.component_id from {item_mstr.kit} k where k.parent_id = coalesce(l.approved_item_id, l.item_id)) as cards
       from {mr.lines} l where l.parent_id = $1 order by l.id`,
      [record.mr_id ?? null],
    );
    const rows = rowsOf(record);
    const taken = new Set(rows.flatMap(({ mr_line: line }) => (typeof line === 'number' ? [line] : [])));
    return {
      lines: rows.map(({ line_kind: kind, item_id: item, mr_line: line }) => {
        if (kind !== 'part') return { mr_line: null };
        if (lines.some(({ id }) => Number(id) === line)) return { mr_line: line };
        const own =
          lines.find((one) => Number(one.item) === item && !taken.has(Number(one.id))) ??
          lines.find(({ cards }) => cards.some((card) => Number(card) === item));
        if (!own) return { mr_line: null };
        taken.add(Number(own.id));
        return { mr_line: Number(own.id) };
      }),
    };
  },
};

/** The request line of each indent line: those that the request's own store cannot supply. */
export const indentFor: Fill = {
  async run({ unit, record }) {
    const open = await unit.query<{ id: number; request: number; item: number }>(
      `select l.id, m.id as request, coalesce(l.approved_item_id, l.item_id) as item from {mr} m join {mr.lines} l on l.parent_id = m.id
         where m.entity_id = $1 and m.active and m.mr_no = $2 and coalesce(l.approved_qty, l.qty) > l.issued_qty order by l.id`,
      [unit.session.entityId, record.kind === 'mr' ? (record.mr_no ?? null) : null],
    );
    const taken = new Set<number>();
    return {
      lines: rowsOf(record).map(({ item_id: item }) => {
        const found = open.find((one) => Number(one.item) === item && !taken.has(one.id));
        if (found) taken.add(found.id);
        return { mr_id: found ? Number(found.request) : null, mr_line_id: found ? Number(found.id) : null };
      }),
    };
  },
};

/** The request line of each part in a receipt of unused parts. */
export const returnedOf: Fill = {
  async run({ unit, record }) {
    const held = await heldLines(unit, record.technician_id, null);
    const lent = rowsOf(record).some(({ kind }) => kind === 'loan_back')
      ? await lentLines(unit, record.technician_id)
      : [];
    return {
      lines: rowsOf(record).map(({ item_id: item, kind }) => {
        const from = kind === 'unused' || kind === 'wrong_supply' ? held : kind === 'loan_back' ? lent : [];
        const found = from.find((one) => one.item === item);
        return { mr_line: found?.id ?? null, mr_id: found?.request ?? null };
      }),
    };
  },
};
