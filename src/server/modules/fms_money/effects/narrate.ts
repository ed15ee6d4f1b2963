import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { indianDay } from '../fills/bill_tax.ts';

/**
 * The narration of a receipt without one: the chosen standard text, or the one proposed for its mode, with the words in
 * braces filled in.
 */
export const narrate: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    if (typeof record.narration === 'string' && record.narration.trim() !== '') return;
    const [found] = await unit.query<Record<string, string | null>>(
      `select n.template, c.name as customer, m.name as mode,
         (select string_agg(b.bill_no, ', ' order by b.bill_date, b.bill_no) from {receipt.allocations} a join {billing} b on b.id = a.billing_id
            where a.parent_id = $1) as bills,
         (select sum(d.amount)::text from {receipt.deductions} d join {deduction} k on k.id = d.deduction_id
            where d.parent_id = $1 and k.kind in ('tds', 'gst_tds')) as tds
       from {receipt_narrations} n, {receipt_mode_mstr} m, {customer_dtl} c
       where m.id = $2 and c.id = $3 and case when $4::bigint is null then n.active and m.id = any(n.default_for) else n.id = $4 end
       order by n.code limit 1`,
      [record.id, record.receipt_mode_id, record.customer_id, record.narration_id ?? null],
    );
    if (!found) return;
    const words: Readonly<Record<string, string>> = {
      customer: found.customer ?? '',
      mode: found.mode ?? '',
      bills: found.bills ?? 'an advance',
      instrument_no: String(record.instrument_no ?? ''),
      date: indianDay(String(record.instrument_on ?? record.receipt_on)),
      tds: new Exact(found.tds ?? 0).toFixed(2),
    };
    const narration = found.template!.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
    await unit.update('receipt', Number(record.id), { narration: narration.slice(0, 500) });
  },
};
