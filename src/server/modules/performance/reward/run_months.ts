import type { Unit } from '../../../engine/records/unit.ts';
import { addMonths } from '../kpi_months.ts';
import { startMonthOf } from '../sheet_lines.ts';

const MONTHS = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12 } as const;
export type Frequency = keyof typeof MONTHS;

/** The payout rule of a scheme. */
export interface PayoutFrequency {
  id: number;
  incentive_id: number;
  designation_id: number | null;
  frequency: Frequency;
  cut_off_days: number | null;
  pay_month_lag: number;
  first_period: string;
}

export async function frequencyOf(unit: Unit, id: unknown): Promise<PayoutFrequency | null> {
  if (typeof id !== 'number') return null;
  const [found] = await unit.query<PayoutFrequency>(
    `select id, incentive_id, designation_id, frequency, cut_off_days, pay_month_lag, first_period
     from {incentive_frequency} where id = $1`,
    [id],
  );
  return found ?? null;
}

/** The months of a payout. */
export interface RunMonths {
  from: string;
  to: string;
  /** The first month of the financial year, from which a cumulative scheme counts. */
  yearFrom: string;
  /** The position of this payout in the year. */
  payouts: number;
  pay: string;
  /** Whether the month is the last one of a payout. */
  isEnd: boolean;
}

/** The months of the payout that ends with a month. */
export async function runMonths(unit: Unit, month: string, payout: PayoutFrequency | null): Promise<RunMonths> {
  const start = await startMonthOf(unit);
  const step = MONTHS[payout?.frequency ?? 'monthly'];
  // The index of the month in the financial year, 0 to 11.
  const place = (Number(month.slice(5)) - start + 12) % 12;
  return {
    from: addMonths(month, 1 - step),
    to: month,
    yearFrom: addMonths(month, -place),
    payouts: Math.floor(place / step) + 1,
    pay: addMonths(month, payout?.pay_month_lag ?? 1),
    isEnd: (place + 1) % step === 0,
  };
}
