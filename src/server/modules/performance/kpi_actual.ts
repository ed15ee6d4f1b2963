import { formatDate } from '../../../descriptor/format.ts';
import type { FieldError, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Entry } from './entries.ts';
import { enteredFigures, entriesOf } from './entries.ts';
import { periodRefusal } from './period_lock.ts';
import { numberOf } from './sheet_lines.ts';
import { decimalErrors, isOther, unitsOf } from './unit_decimals.ts';

type Row = Readonly<Record<string, unknown>>;

const ENTERED = ['value', 'done_on', 'done', 'not_applicable'];

const figure = (value: unknown): number | null => (numberOf(value) === null ? null : Number(value));

/** Why the figure of a day or week may not be entered now; null = it may. */
function entryRefusal({ from_day: from, freezes_on: freezes }: Entry, today: string): string | null {
  if (from > today) return `${formatDate(from)} has not come yet.`;
  return freezes <= today ? `The figure of ${formatDate(from)} is frozen since ${formatDate(freezes)}.` : null;
}

/** Figures that were changed, with more decimals than their KPI has. */
async function changedDecimals(session: Session, record: Row, stored: WireRecord): Promise<FieldError[]> {
  const before = enteredFigures(stored);
  const changed = enteredFigures(record).filter(({ value }, at) => isOther(value, before[at]?.value));
  if (changed.length === 0) return [];
  return decimalErrors((await unitsOf(session, [stored.kpi_id])).get(stored.kpi_id as number), changed);
}

/**
 * Nobody changes an entry of a period that takes none, or of a day or week that has not come or is frozen; the product's own
 * figures follow their own rules.
 */
export default defineHooks({
  async check(session, record, stored) {
    if (!stored || stored.source !== 'manual') return [];
    const before = entriesOf(stored);
    const today = dayIn(placeOf(session).timezone);
    const changed = entriesOf(record).filter(
      ({ from_day: from, value }) => figure(value) !== figure(before.find((one) => one.from_day === from)?.value),
    );
    const errors: FieldError[] = changed.flatMap((entry) => {
      const message = entryRefusal(entry, today);
      return message === null ? [] : [{ field: 'entries', message }];
    });
    errors.push(...(await changedDecimals(session, record, stored)));
    const field = ENTERED.find((name) => (record[name] ?? null) !== (stored[name] ?? null));
    if (errors.length > 0 || field === undefined) return errors;
    const message = await periodRefusal(session, stored, 'enter');
    return message === null ? [] : [{ field, message }];
  },
});
