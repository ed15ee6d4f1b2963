import { Exact } from '../../../../descriptor/exact.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { coverOfLines } from '../cover_facts.ts';
import { rowsOf, setRows } from '../request_lines.ts';
import { addDays, dayOfAct } from '../request_day.ts';
import { storesSetting } from '../stores_setting.ts';

type Line = ReturnType<typeof rowsOf>[number];

const amount = (value: unknown) => new Exact((value as string | null) ?? 0);

/**
 * After the technical approval, computes the cover again for the exact items. If a part has become chargeable, or the
 * free amount has grown by more than 10 %, the commercial approver decides again. Otherwise free lines get cover notes,
 * chargeable lines a quotation, and lines that need no cover are supplied.
 */
export const release: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const { lines: covered } = await coverOfLines(unit, record, { exact: true });
    const lines = rowsOf(record);
    const isByRule = (line: Line) => line.cover === line.proposed_cover;
    const turned = lines.some(
      (line, at) => isByRule(line) && line.cover !== 'chargeable' && covered[at]!.cover?.cover === 'chargeable',
    );
    const free = lines.reduce(
      (sum, line, at) => sum.plus(isByRule(line) ? (covered[at]!.cover?.free ?? 0) : amount(line.free)),
      new Exact(0),
    );
    if (turned || free.greaterThan(amount(record.approved_free).times('1.1'))) {
      await unit.elevated().update('mr', record.id, { cover_changed: true });
      return;
    }
    const after = await unit.elevated().update('mr', record.id, {
      lines: {
        set: Object.fromEntries(
          lines.map((line, at) => {
            const { price, cover } = covered[at]!;
            return [
              line.id,
              {
                price,
                ...(cover && {
                  proposed_free: cover.free,
                  proposed_customer: cover.customer,
                  customer_share: cover.share,
                }),
                line_status: amount(cover && isByRule(line) ? cover.customer : line.customer).isZero()
                  ? 'requested'
                  : 'to_quote',
              },
            ];
          }),
        ),
      },
    });
    await makeCoverNotes(unit, after);
    await makeQuotation(unit, after);
    // Lines that need no cover, such as the refill of a kit, are supplied at once.
    await setRows(
      unit,
      'mr',
      record.id,
      new Map(
        rowsOf(after)
          .filter(({ cover }) => cover === null)
          .map(({ id }) => [id, { line_status: 'released' }]),
      ),
    );
  },
};

/** Makes one cover note for each basis of free parts. */
async function makeCoverNotes(unit: Unit, request: WireRecord): Promise<void> {
  const free = rowsOf(request).filter(
    ({ cover, line_status: status }) => cover !== null && cover !== 'chargeable' && status === 'requested',
  );
  for (const basis of new Set(free.map(({ cover }) => String(cover))))
    await unit.elevated().create('mr_contract', {
      kind: 'cover',
      basis,
      mr_id: request.id,
      contract_id: basis === 'contract' ? (request.contract_id ?? null) : null,
      valid_to: request.cover_valid_to ?? null,
      lines: free
        .filter(({ cover }) => cover === basis)
        .map(({ id, approved_item_id: item, approved_qty: qty }) => ({ mr_line: id, item_id: item, qty })),
    });
}

/** Drafts the quotation of the chargeable lines; for shared cover, of the customer's share. */
async function makeQuotation(unit: Unit, request: WireRecord): Promise<void> {
  const charged = rowsOf(request).filter(({ line_status: status }) => status === 'to_quote');
  if (charged.length === 0) return;
  const { quotation_days: days } = await storesSetting(unit);
  const today = dayOfAct(unit, request);
  await unit.elevated().create('mr_quotation', {
    mr_id: request.id,
    quote_date: today,
    valid_to: addDays(today, days),
    lines: charged.map((line) => ({
      mr_line: line.id,
      line_kind: 'part',
      item_id: line.approved_item_id,
      qty: line.approved_qty,
      lift_position: line.lift_position ?? null,
      is_share: line.cover !== 'chargeable',
      rate: amount(line.customer).dividedBy(amount(line.approved_qty)).toDecimalPlaces(2).toFixed(2),
    })),
  });
}
