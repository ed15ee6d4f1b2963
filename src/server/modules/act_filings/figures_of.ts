import {
  STANDARD_BANDS,
  bandScore,
  exposure,
  lateDays,
  lateFee,
  lateInterest,
} from '../../../domain/act_filings/late_cost.ts';
import type { FilingForm } from './filing_form.ts';

export interface FilingFigures {
  days_left: number | null;
  overdue: boolean;
  late_days: number | null;
  late_fee: string | null;
  interest: string | null;
  exposure: string | null;
  /** Null while nothing is counted: it is open and not due. */
  score: string | null;
}

type FilingFacts = Readonly<Record<string, unknown>> & {
  status?: unknown;
  due_on?: unknown;
  extended_due_on?: unknown;
  filed_on?: unknown;
  nil_return?: unknown;
  turnover_band?: unknown;
  tax_payable?: unknown;
  tax_paid_in_cash?: unknown;
  interest_from?: unknown;
  paid_on?: unknown;
};

const NONE: FilingFigures = {
  days_left: null,
  overdue: false,
  late_days: null,
  late_fee: null,
  interest: null,
  exposure: null,
  score: null,
};
const text = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** The cost and score of a filing on a day (5.7, 5.2), including extensions. Amounts in rupees. */
export function figuresOf(filing: FilingFacts, form: FilingForm, today: string): FilingFigures {
  const dueOn = text(filing.extended_due_on) ?? text(filing.due_on);
  if (dueOn === null || filing.status === 'not_applicable') return NONE;
  const filedOn = text(filing.filed_on);
  const days = lateDays(dueOn, filedOn ?? today);
  const tax = text(filing.tax_payable);
  const fee = lateFee(form.rates, {
    days,
    nil: filing.nil_return === true,
    turnover_band: text(filing.turnover_band),
    tax,
  });
  const interest = lateInterest(form.rates, {
    amount: text(filing.tax_paid_in_cash) ?? tax,
    dueOn,
    from: text(filing.interest_from),
    paidOn: text(filing.paid_on) ?? filedOn ?? today,
  });
  const isOverdue = filedOn === null && today > dueOn;
  const bands = form.bands.length > 0 ? form.bands : STANDARD_BANDS;
  const left = lateDays(today, dueOn) - lateDays(dueOn, today);
  return {
    days_left: filedOn === null ? left : null,
    overdue: isOverdue,
    late_days: days,
    late_fee: fee,
    interest,
    exposure: exposure([{ late_fee: fee, interest }]),
    score: filedOn !== null ? bandScore(days, bands) : isOverdue ? '0.00' : null,
  };
}
