import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';
import { sellingPrices } from '../cover_facts.ts';
import { shownDay } from '../request_day.ts';

/** A complete quotation has prices, codes, the place of supply, and a single GST rate for the cards of a pack. */
export const quotationComplete: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = [];
    const lines = rowsOf(record);
    if (typeof record.place_of_supply !== 'number')
      errors.push({ field: 'place_of_supply', message: 'Choose the place of supply.' });
    const items = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const branch = typeof record.branch_id === 'number' ? record.branch_id : null;
    const prices = await sellingPrices(unit, items, branch, String(record.quote_date));
    const names = await unit.query<{ id: number; code: string }>(
      'select id, item_code as code from {item_mstr} where id = any($1::bigint[])',
      [items],
    );
    const codeOf = (id: unknown) => names.find((one) => Number(one.id) === id)?.code ?? '';
    const [place] = await unit.query<{ name: string }>('select name from {branch} where id = $1', [branch]);
    for (const [at, line] of lines.entries()) {
      if (typeof line.hs_code_id !== 'number')
        errors.push({ field: `lines.${at}.hs_code_id`, message: 'Choose the HSN or SAC.' });
      else if (line.gst_rate === null)
        errors.push({
          field: `lines.${at}.hs_code_id`,
          message: 'This code has no GST rate on the date of the quotation.',
        });
      if (line.line_kind === 'part' && typeof line.item_id === 'number' && !prices.has(line.item_id))
        errors.push({
          field: `lines.${at}.rate`,
          message: `No selling price for ${codeOf(line.item_id)} in ${place?.name ?? 'this branch'} on ${shownDay(String(record.quote_date))}.`,
        });
      if (Number(line.rate) <= 0) errors.push({ field: `lines.${at}.rate`, message: 'Enter the rate.' });
    }
    if (record.format === 'card_pack') {
      const rates = lines.map(({ gst_rate: rate }) => Number(rate));
      const usual = rates.toSorted(
        (a, b) => rates.filter((r) => r === b).length - rates.filter((r) => r === a).length,
      )[0];
      const other = rates.findIndex((rate) => rate !== usual);
      if (other >= 0)
        errors.push({
          field: `lines.${other}.gst_rate`,
          message: `All cards of a pack must have one GST rate: ${codeOf(lines[other]!.item_id)} has ${rates[other]!} %, the others ${usual!} %.`,
        });
    }
    return errors;
  },
};
